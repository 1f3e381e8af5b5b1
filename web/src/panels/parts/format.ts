/** Game time, minutes and numbers as people of a language write them. Game time has no zone, so UTC stands for it. */
import { isKey, language as chosen, t } from '../../i18n/index.svelte.ts';

const cache = new Map<string, Intl.DateTimeFormat>();
function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = chosen.locale + JSON.stringify(options);
  let found = cache.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(chosen.locale, { timeZone: 'UTC', ...options });
    cache.set(key, found);
  }
  return found;
}

/** What a mind is asked, in the page's language; a task it does not know is told by its own name. */
export function task(kind: string): string {
  const key = `task.${kind}`;
  return isKey(key) ? t(key) : kind.replaceAll('_', ' ');
}

/** How a talk ended; a way the page does not know is told as it was noted. */
export function ending(reason: string): string {
  const key = `talk.end_${reason.replaceAll(' ', '_')}`;
  return isKey(key) ? t(key) : reason;
}

/** `14:05` */
export function clock(time: number): string {
  return formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(time * 1000);
}

/** `Tue 14 Feb, 14:05` */
export function moment(time: number): string {
  return formatter({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(time * 1000);
}

/** `Tuesday 14 February` from `2023-02-14` */
export function day(date: string): string {
  return formatter({ weekday: 'long', day: 'numeric', month: 'long' }).format(Date.parse(`${date}T00:00:00Z`));
}

/** Minutes of a day as `09:05`; 1,440 is 24:00. */
export function minute(of_day: number): string {
  const hours = Math.floor(of_day / 60);
  return `${String(hours).padStart(2, '0')}:${String(of_day % 60).padStart(2, '0')}`;
}

/** A number with the language's separators. */
export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(chosen.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** A share as a percentage. */
export function percent(share: number, digits = 0): string {
  return new Intl.NumberFormat(chosen.locale, { style: 'percent', maximumFractionDigits: digits }).format(share);
}

/** Dollars, with as many digits as a small sum needs. */
export function dollars(usd: number): string {
  const digits = usd !== 0 && usd < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(chosen.locale, { style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(usd);
}
