/**
 * Game time in words. Game time has no zone: seconds since 1970 are read as they stand (as UTC), whatever clock the
 * viewer lives by.
 */

export const DAY_SECONDS = 86_400;

/** Which day of the story it is, the first being 1. */
export function dayOf(seconds: number, start: number): number {
  return Math.floor(seconds / DAY_SECONDS) - Math.floor(start / DAY_SECONDS) + 1;
}

/** "09:05", with seconds where ticks are short enough for them to matter. */
export function timeOfDay(seconds: number, locale: string, with_seconds = false): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(with_seconds ? { second: '2-digit' } : {}),
  }).format(seconds * 1000);
}

/** "Mon 3 Jun", in the manner of the locale. */
export function date(seconds: number, locale: string, weekday: 'short' | 'long' = 'short'): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday, day: 'numeric', month: 'short' }).format(seconds * 1000);
}

/** The tick at a date and time as an `<input type="datetime-local">` gives it; null for what is none. */
export function tickOf(text: string, start: number, seconds_per_tick: number): number | null {
  const milliseconds = Date.parse(`${text}Z`);
  return Number.isNaN(milliseconds) ? null : Math.ceil((milliseconds / 1000 - start) / seconds_per_tick);
}

/** The other way round. */
export function inputText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16);
}
