import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
} from 'node-av/constants';
import { type Recipe, writeAudioFile } from '../../../lab/fixtures/write-audio-file.ts';

const RECIPES = {
  mp3: { encoder: 'libmp3lame', muxer: 'mp3', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 128_000n },
  aac: { encoder: 'aac', muxer: 'adts', sampleFormat: AV_SAMPLE_FMT_FLTP },
  ac3: { encoder: 'ac3', muxer: 'ac3', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 192_000n },
  mp2: { encoder: 'mp2', muxer: 'mp2', sampleFormat: AV_SAMPLE_FMT_S16, bitsPerSecond: 192_000n },
  m4a: { encoder: 'aac', muxer: 'ipod', sampleFormat: AV_SAMPLE_FMT_FLTP },
  mkv: { encoder: 'aac', muxer: 'matroska', sampleFormat: AV_SAMPLE_FMT_FLTP },
  webm: { encoder: 'libopus', muxer: 'webm', sampleFormat: AV_SAMPLE_FMT_FLT },
  flac: { encoder: 'flac', muxer: 'flac', sampleFormat: AV_SAMPLE_FMT_S16 },
  vorbis: { encoder: 'libvorbis', muxer: 'ogg', sampleFormat: AV_SAMPLE_FMT_FLTP },
  opus: { encoder: 'libopus', muxer: 'ogg', sampleFormat: AV_SAMPLE_FMT_FLT },
  alac: { encoder: 'alac', muxer: 'ipod', sampleFormat: AV_SAMPLE_FMT_S16P },
  'mp2 in mkv': {
    encoder: 'mp2',
    muxer: 'matroska',
    sampleFormat: AV_SAMPLE_FMT_S16,
    bitsPerSecond: 192_000n,
  },
  'mp2 in ts': { encoder: 'mp2', muxer: 'mpegts', sampleFormat: AV_SAMPLE_FMT_S16, bitsPerSecond: 192_000n },
  'flac in ogg': { encoder: 'flac', muxer: 'ogg', sampleFormat: AV_SAMPLE_FMT_S16 },
  wma: { encoder: 'wmav2', muxer: 'asf', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 128_000n },
  avi: { encoder: 'pcm_s16le', muxer: 'avi', sampleFormat: AV_SAMPLE_FMT_S16 },
  aiff: { encoder: 'pcm_s16be', muxer: 'aiff', sampleFormat: AV_SAMPLE_FMT_S16 },
  w64: { encoder: 'pcm_s16le', muxer: 'w64', sampleFormat: AV_SAMPLE_FMT_S16 },
  au: { encoder: 'pcm_s16be', muxer: 'au', sampleFormat: AV_SAMPLE_FMT_S16 },
  tta: { encoder: 'tta', muxer: 'tta', sampleFormat: AV_SAMPLE_FMT_S16 },
  wavpack: { encoder: 'wavpack', muxer: 'wv', sampleFormat: AV_SAMPLE_FMT_S16P },
  truehd: { encoder: 'truehd', muxer: 'truehd', sampleFormat: AV_SAMPLE_FMT_S16P, channelCount: 2 },
  mpeg: { encoder: 'mp2', muxer: 'mpeg', sampleFormat: AV_SAMPLE_FMT_S16, bitsPerSecond: 192_000n },
  flv: { encoder: 'aac', muxer: 'flv', sampleFormat: AV_SAMPLE_FMT_FLTP },
  'mp3 in avi': {
    encoder: 'libmp3lame',
    muxer: 'avi',
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitsPerSecond: 128_000n,
  },
  'alac in caf': { encoder: 'alac', muxer: 'caf', sampleFormat: AV_SAMPLE_FMT_S16P },
  caf: { encoder: 'pcm_s16be', muxer: 'caf', sampleFormat: AV_SAMPLE_FMT_S16 },
  wav: { encoder: 'pcm_s16le', muxer: 'wav', sampleFormat: AV_SAMPLE_FMT_S16 },
} satisfies Record<string, Recipe>;

export type ChirpFormat = keyof typeof RECIPES;

/** Rate of all chirps, in Hz. */
export const CHIRP_RATE = 48_000;

/** Writes a tone that rises from 300 Hz by 80 Hz each second, so that every moment sounds different. */
export async function chirpFile(format: ChirpFormat, seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const samples = Float32Array.from({ length: seconds * CHIRP_RATE }, (_, at) => {
    const time = at / CHIRP_RATE;
    return 0.5 * Math.sin(2 * Math.PI * (300 * time + 40 * time * time));
  });
  const recipe: Recipe = RECIPES[format];
  const channels = Array.from({ length: recipe.channelCount ?? 1 }, () => samples);
  return await audioFile({ ...recipe, sampleRate: CHIRP_RATE }, channels);
}

/** Returns a file of one array of samples per channel. */
export async function audioFile(
  recipe: Recipe,
  channels: readonly Float32Array[],
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'));
  try {
    const path = join(folder, 'file');
    writeAudioFile(path, recipe, channels);
    return new Uint8Array(await readFile(path));
  } finally {
    await rm(folder, { recursive: true });
  }
}
