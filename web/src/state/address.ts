/** What a link to a moment says: `#t=4210&r=7&run=acb9fa14c83f4c75`. What cannot be read counts as absent. */
import type { ResidentId, Tick } from '../api/types.ts';

export type Address = { tick: Tick | null; resident: ResidentId | null; run: string | null };

const whole = (text: string | null): number | null => (text !== null && /^-?\d{1,12}$/.test(text) ? Number(text) : null);

export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  return { tick: whole(fields.get('t')), resident: whole(fields.get('r')), run: fields.get('run') };
}

export function writeAddress({ tick, resident, run }: Address): string {
  const fields = new URLSearchParams();
  if (tick !== null) fields.set('t', String(tick));
  if (resident !== null) fields.set('r', String(resident));
  if (run !== null) fields.set('run', run);
  return fields.size > 0 ? `#${fields}` : '';
}
