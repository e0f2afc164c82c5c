const RATE_MAX = 120;

/** Frames counted to estimate a mean rate: a minute at 60 per second. */
export const COUNTED_FRAMES_MAX = 3_600;

/** Returns the mean rate of a video for encoders, which accept whole numbers from 1. */
export function encoderRate(frameRate: number): number {
  return Math.min(RATE_MAX, Math.max(1, Math.round(frameRate)));
}
