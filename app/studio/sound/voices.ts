import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import type { CountIn } from './count-in.ts';
import type { Tuning } from './mix-output.ts';

/** Sounds that play together, as a mix player drives them. */
export interface Voices {
  /** Starts all at one time. A loop repeats until they stop. */
  start(fromSeconds: number, loop: TimeSpan | undefined, countIn?: CountIn): Promise<void>;
  stop(): void;
  /** Returns the position that is heard, in seconds. */
  position(): number;
  /** Returns the time in seconds until a count-in is over; 0 without one. */
  secondsToStart(): number;
  /** @param gains factor of each sound; takes effect at once, without a click */
  setGains(gains: readonly number[]): void;
  /** Sets tempo and pitch. The tempo takes effect at the next start. */
  setTuning(tuning: Tuning): Promise<void>;
  close(): void;
}
