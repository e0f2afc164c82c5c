/** The one form of dates: `23 Nov 2026`. */
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** The one form of moments: `23 Nov 2026, 14:05`. */
const MOMENT = { ...DATE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const LOCAL = new Intl.DateTimeFormat('en-GB', MOMENT);
const LOCAL_DATE = new Intl.DateTimeFormat('en-GB', DATE);
const LOCAL_TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const UTC = new Intl.DateTimeFormat('en-GB', { ...MOMENT, timeZone: 'UTC' });
const UTC_DAY = new Intl.DateTimeFormat('en-GB', { ...DATE, timeZone: 'UTC' });
const UTC_MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a moment in the visitor's time zone; only for what the browser renders. */
export function formatMoment(moment: string | Date): string {
  return LOCAL.format(new Date(moment));
}

/** Splits a moment, by the visitor's time zone: `23 Nov 2026` and `14:05`. For lists whose days are headings. */
export function formatDateAndTime(moment: string | Date): readonly [date: string, time: string] {
  const at = new Date(moment);
  return [LOCAL_DATE.format(at), LOCAL_TIME.format(at)];
}

/** Formats a moment in UTC, which is the same for every reader: for what the server renders. */
export function formatUtc(moment: Date): string {
  return `${UTC.format(moment)} UTC`;
}

/** Formats a day, `2026-11-23`. */
export function formatDay(day: string): string {
  return UTC_DAY.format(new Date(day));
}

/** Formats a month, `2026-11`. */
export function formatMonth(month: string): string {
  return UTC_MONTH.format(new Date(month));
}
