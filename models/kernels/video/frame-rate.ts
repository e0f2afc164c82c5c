const RATE_MAX = 120;

/** Frames that are counted to tell a mean rate: a minute at 60 a second, whatever the file goes on with. */
export const COUNTED_MAX = 3_600;

/** The mean rate of a video as encoders take it: they know no fractions, and refuse what is less than 1. */
export function encoderRate(frameRate: number): number {
  return Math.min(RATE_MAX, Math.max(1, Math.round(frameRate)));
}
