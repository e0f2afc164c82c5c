import { AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import type { Recipe } from '../../../lab/fixtures/write-audio-file.ts';
import { audioFile } from './chirp-files.ts';

/** A sound of a known number of samples. */
export interface ExactSound {
  readonly file: () => Promise<Blob>;
  readonly sampleRate: number;
  readonly samples: number;
}

export function getSine(samples: number, sampleRate: number, peak = 0.3): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    { length: samples },
    (_, at) => peak * Math.sin((2 * Math.PI * 440 * at) / sampleRate),
  );
}

function sound(recipe: Recipe, samples: number, sampleRate: number): ExactSound {
  const file = async () =>
    new Blob([await audioFile({ ...recipe, sampleRate }, [getSine(samples, sampleRate)])]);
  return { file, sampleRate, samples };
}

const opus = { encoder: 'libopus', sampleFormat: AV_SAMPLE_FMT_FLT } as const;

/** Sounds whose last packet, or whose edit list, is longer than they are. */
export const EXACT_SOUNDS: Readonly<Record<string, ExactSound>> = {
  'Opus in WebM': sound({ ...opus, muxer: 'webm' }, 47_000, 48_000),
  'Opus in Matroska': sound({ ...opus, muxer: 'matroska' }, 47_000, 48_000),
  'Opus in Ogg': sound({ ...opus, muxer: 'ogg' }, 47_000, 48_000),
  'AAC with an edit list in milliseconds': sound(
    { encoder: 'aac', muxer: 'ipod', sampleFormat: AV_SAMPLE_FMT_FLTP },
    60_031,
    44_100,
  ),
  'FLAC in MP4': sound({ encoder: 'flac', muxer: 'mp4', sampleFormat: AV_SAMPLE_FMT_S16 }, 60_031, 44_100),
};

/** Returns a sound of several channels, all silent but one. */
export async function soundIn(channel: number, count: number, recipe: Recipe): Promise<Blob> {
  const silence = new Float32Array(48_000);
  const channels = Array.from({ length: count }, (_, at) =>
    at === channel ? getSine(48_000, 48_000) : silence,
  );
  return new Blob([await audioFile({ ...recipe, sampleRate: 48_000 }, channels)]);
}

const aac = { encoder: 'aac', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 256_000n } as const;

/** Files of AAC with a centre. */
export const AAC_CENTRES: readonly (readonly [title: string, channels: number, recipe: Recipe])[] = [
  ['3.0 in MP4', 3, { ...aac, muxer: 'ipod' }],
  ['3.0 in ADTS', 3, { ...aac, muxer: 'adts' }],
  ['3.0 in a transport stream', 3, { ...aac, muxer: 'mpegts' }],
  ['5.0 in a transport stream', 5, { ...aac, muxer: 'mpegts' }],
];
