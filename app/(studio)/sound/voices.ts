import type { TimeRange } from './time-range.ts';

/** Sounds that play together, as a mix player drives them. */
export interface Voices {
  /** Starts all at one time. A loop repeats until they stop. */
  start(fromSeconds: number, loop: TimeRange | undefined): Promise<void>;
  stop(): void;
  /** Returns the position that is heard, in seconds. */
  position(): number;
  /** @param gains factor of each sound; takes effect at once, without a click */
  setGains(gains: readonly number[]): void;
  close(): void;
}

/** Time in which a gain moves to its new value, in seconds: shorter would click. */
const GLIDE_SECONDS = 0.01;

/** Creates one gain for each sound, all into one output. */
export function createGains(context: AudioContext, count: number): readonly GainNode[] {
  return Array.from({ length: count }, () => {
    const gain = context.createGain();
    gain.connect(context.destination);
    return gain;
  });
}

export function applyGains(
  context: AudioContext,
  nodes: readonly GainNode[],
  gains: readonly number[],
): void {
  for (const [at, { gain }] of nodes.entries()) {
    gain.setTargetAtTime(gains[at] ?? 1, context.currentTime, GLIDE_SECONDS);
  }
}
