/** Years of days that are looked for: others are being typed. */
const [YEAR_MIN, YEAR_MAX] = [1971, 9998];

/** Returns the times between which a day lies, in the time zone of the visitor; none without a day. */
export function timesOfDay(day: string): { readonly from?: string; readonly to?: string } {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date || year < YEAR_MIN || year > YEAR_MAX) return {};
  const [from, to] = [new Date(year, month - 1, date), new Date(year, month - 1, date + 1)];
  return { from: from.toISOString(), to: to.toISOString() };
}
