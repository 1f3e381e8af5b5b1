/** Before all stories: the runs that several of them look at, made by the program in a folder that is deleted at the end. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TWO_NEIGHBOURS, compute } from './served.ts';

/** Makes the runs and gives the function that deletes them. */
export default function make(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'townsfolk-stories-'));
  process.env['TOWNSFOLK_STORIES'] = folder;
  // The neighbours' houses with other people in them.
  const odd = join(folder, 'odd_names');
  cpSync(TWO_NEIGHBOURS, odd, { recursive: true });
  for (const file of readdirSync(join(odd, 'residents'))) rmSync(join(odd, 'residents', file));
  cpSync(join(import.meta.dirname, 'odd_names'), odd, { recursive: true });
  compute(folder, odd, 3000, 'odd.run');
  compute(folder, TWO_NEIGHBOURS, 1980, 'neighbours.run');
  compute(folder, 'osier_quay', 2880, 'day.run');
  return () => rmSync(folder, { recursive: true, force: true });
}
