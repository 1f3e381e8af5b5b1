/**
 * What a link to a moment says: the run, the time, who is looked at and what is open, as in
 * `#t=4210&r=7&talk=31&run=acb9fa14c83f4c75`. What cannot be read counts as absent.
 */
import type { PlaceId, ResidentId, Tick } from '../api/types.ts';

/** The tabs of the panel, by the names they have in links. */
export const TABS = ['town', 'resident', 'talk', 'object', 'take_part'] as const;
export type TabId = (typeof TABS)[number];

export type Address = {
  tick: Tick | null;
  resident: ResidentId | null;
  talk: number | null;
  object: PlaceId | null;
  /** The news that was searched for. */
  news: string | null;
  tab: TabId;
  run: string | null;
};

const whole = (text: string | null): number | null => (text !== null && /^-?\d{1,12}$/.test(text) ? Number(text) : null);

/** The tab that a link leads to which names none. */
function implied({ resident, talk, object, news }: Omit<Address, 'tab'>): TabId {
  if (talk !== null) return 'talk';
  if (object !== null) return 'object';
  if (news !== null) return 'town';
  return resident !== null ? 'resident' : 'town';
}

export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const open = {
    tick: whole(fields.get('t')),
    resident: whole(fields.get('r')),
    talk: whole(fields.get('talk')),
    object: whole(fields.get('object')),
    news: fields.get('news') || null,
    run: fields.get('run'),
  };
  return { ...open, tab: TABS.find((tab) => tab === fields.get('tab')) ?? implied(open) };
}

/** The link to an address. Of what is open it names what is in front; who is looked at stays, whatever is in front. */
export function writeAddress({ tab, ...open }: Address): string {
  const front = {
    ...open,
    talk: tab === 'talk' ? open.talk : null,
    object: tab === 'object' ? open.object : null,
    news: tab === 'town' ? open.news : null,
  };
  const said: [name: string, value: string | number | null][] = [
    ['t', front.tick],
    ['r', front.resident],
    ['talk', front.talk],
    ['object', front.object],
    ['news', front.news],
    ['tab', implied(front) === tab ? null : tab],
    ['run', front.run],
  ];
  const fields = new URLSearchParams(said.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])));
  return fields.size > 0 ? `#${fields}` : '';
}
