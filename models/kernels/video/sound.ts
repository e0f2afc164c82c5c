import type { VideoEncodeOptions, VideoFormat } from '../../video-codec.ts';

/** What becomes of sound: copied as it is, or encoded anew as the first of these codecs that the device can write. */
export type SoundPlan =
  | { readonly kind: 'copy' }
  | { readonly kind: 'encode'; readonly codecs: readonly SoundCodec[] };

export type SoundCodec = 'aac' | 'opus';

/** Codecs, by the names of WebCodecs' registry, that players of each format expect. */
const HELD: Readonly<Record<VideoFormat, readonly string[]>> = {
  mp4: ['aac', 'mp3', 'opus', 'flac', 'ac3', 'eac3'],
  webm: ['opus', 'vorbis'],
};

const ENCODED: Readonly<Record<VideoFormat, readonly SoundCodec[]>> = {
  mp4: ['aac', 'opus'],
  webm: ['opus'],
};

/** Opus knows no other above 24 kHz, and every player takes it. */
export const SOUND_SAMPLE_RATE = 48_000;

/** @param codec of the sound, or null when it is of none that is known */
export function soundPlan(format: VideoFormat, codec: string | null): SoundPlan {
  return codec !== null && HELD[format].includes(codec)
    ? { kind: 'copy' }
    : { kind: 'encode', codecs: ENCODED[format] };
}

/** The sound of a video that is being written. */
export interface Sound {
  /** Sentences for the user about what became of it. */
  readonly warnings: readonly string[];
  /** Writes what is heard up to a time, so that it lies beside the pictures in the file. */
  feed(untilSeconds: number): Promise<void>;
  /** Writes the rest. */
  finish(): Promise<void>;
}

/** Writes the next piece of sound. @returns when it starts, or null when there is no more */
export type SoundStep = () => Promise<number | null>;

export function soundOf(
  step: SoundStep,
  { signal }: Pick<VideoEncodeOptions, 'signal'>,
  warnings: readonly string[],
): Sound {
  let writtenSeconds = Number.NEGATIVE_INFINITY;
  const feed = async (untilSeconds: number) => {
    while (writtenSeconds < untilSeconds) {
      signal.throwIfAborted();
      writtenSeconds = (await step()) ?? Number.POSITIVE_INFINITY;
    }
  };
  return { warnings, feed, finish: () => feed(Number.POSITIVE_INFINITY) };
}

/** @param warnings why there is no sound, if there should be some */
export function silence(warnings: readonly string[] = []): Sound {
  return { warnings, feed: async () => {}, finish: async () => {} };
}

export function encodedAnew(codec: string | null, target: SoundCodec, format: VideoFormat): string {
  return `The sound was encoded anew as ${target}, since ${format} does not hold ${codec ?? 'its codec'}.`;
}

/** When a piece of sound is written; null when it lies before the start. Only MP4 can tell players to begin within it. */
export function soundTime(
  { timestamp, duration }: { readonly timestamp: number; readonly duration: number },
  format: VideoFormat,
): number | null {
  if (timestamp + duration <= 0) return null;
  return format === 'mp4' ? timestamp : Math.max(0, timestamp);
}
