/** Heights at which the sheet of a phone rests. */
export const SHEET_STOPS = ['low', 'half', 'full'] as const;
export type SheetStop = (typeof SHEET_STOPS)[number];

/** Height of the lowest stop: the handle with its title, and the action. */
const LOW_PX = 116;
const SHARES = { half: 0.5, full: 0.92 } as const;

export function stopHeightPx(stop: SheetStop, windowHeightPx: number): number {
  return stop === 'low' ? LOW_PX : SHARES[stop] * windowHeightPx;
}

/** Returns the stop nearest to the height at which the sheet was let go. */
export function nearestStop(heightPx: number, windowHeightPx: number): SheetStop {
  const distance = (stop: SheetStop) => Math.abs(stopHeightPx(stop, windowHeightPx) - heightPx);
  return SHEET_STOPS.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best));
}

/** Returns the stop that is some steps higher, or lower for negative steps; the last one at each end. */
export function adjacentStop(stop: SheetStop, steps: number): SheetStop {
  const at = SHEET_STOPS.indexOf(stop) + steps;
  return SHEET_STOPS[Math.min(Math.max(at, 0), SHEET_STOPS.length - 1)] ?? stop;
}
