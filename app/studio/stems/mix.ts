import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';

/** Lowest and highest gain of a stem, in dB. */
export const GAIN_MIN = -24;
export const GAIN_MAX = 6;
/** Shortest part that repeats, in seconds. */
export const LOOP_MIN = 0.1;

/** Settings of one stem in the mix. */
export interface StemSetting {
  readonly gainDb: number;
  readonly isMuted: boolean;
  /** Whether it is heard alone, or with the others that are. */
  readonly isSolo: boolean;
}

/** Settings of the stems of one result. They need no new run. */
export interface Mix {
  /** Run that they belong to: those of an earlier result may have other stems. */
  readonly run: string;
  /** By name of the stem, where it is not as it came. */
  readonly stems: Readonly<Record<string, StemSetting>>;
  /** Chosen part. */
  readonly part?: TimeSpan | undefined;
  readonly isLooping: boolean;
}

const AS_IT_CAME: StemSetting = { gainDb: 0, isMuted: false, isSolo: false };

export const initialMix = (run: string): Mix => ({ run, stems: {}, isLooping: false });

export function getSetting({ stems }: Mix, stem: string): StemSetting {
  return stems[stem] ?? AS_IT_CAME;
}

export function withSetting(mix: Mix, stem: string, change: Partial<StemSetting>): Mix {
  return { ...mix, stems: { ...mix.stems, [stem]: { ...getSetting(mix, stem), ...change } } };
}

/** Chooses a part, within the sound and not too short to hear, and repeats it. */
export function withPart(mix: Mix, { start, end }: TimeSpan, durationSeconds: number): Mix {
  const from = Math.min(Math.max(0, start), Math.max(0, durationSeconds - LOOP_MIN));
  const until = Math.min(Math.max(end, from + LOOP_MIN), durationSeconds);
  return { ...mix, part: { start: from, end: until }, isLooping: true };
}

/** Returns the factor of each stem. A muted stem is silent, and so are all others where one is solo. */
export function getGains(mix: Mix, stems: readonly string[]): readonly number[] {
  const settings = stems.map((stem) => getSetting(mix, stem));
  const hasSolo = settings.some(({ isSolo }) => isSolo);
  return settings.map(({ gainDb, isMuted, isSolo }) =>
    isMuted || (hasSolo && !isSolo) ? 0 : 10 ** (gainDb / 20),
  );
}

/** Words a gain: `−1.5 dB`. */
export function formatDecibels(gainDb: number): string {
  return `${gainDb < 0 ? '−' : gainDb > 0 ? '+' : ''}${Math.abs(gainDb).toFixed(1)} dB`;
}
