/** Height of a row in pixels, as the style sheet sets it. */
export const ROW_PIXELS = 32;

/** Rows of one step: a window moves by whole steps, so that few movements draw it again. */
const STEP = 8;
/** Rows in a window: a step before the first visible row, the visible ones, and more than a step after them. */
const WINDOW = 4 * STEP;

/** Returns the first row of the window at a scroll position, in pixels. */
export function windowAt(scrollTop: number): number {
  return Math.max(0, (Math.floor(scrollTop / (ROW_PIXELS * STEP)) - 1) * STEP);
}

/**
 * Lists the rows to draw, in order.
 * @param first first row of the window
 * @param count number of all rows
 * @param kept rows that are drawn wherever the window is, such as the one with the focus; those that do not exist are
 * left out
 */
export function rowsToDraw(first: number, count: number, kept: readonly number[]): readonly number[] {
  const inWindow = Array.from({ length: WINDOW }, (_, at) => first + at);
  const rows = new Set([...inWindow, ...kept].filter((row) => row >= 0 && row < count));
  return [...rows].sort((one, other) => one - other);
}
