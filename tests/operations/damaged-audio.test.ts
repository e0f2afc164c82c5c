import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { describe, expect, test } from 'vitest';
import { generateTone } from '../../lab/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../lab/fixtures/write-audio-file.ts';
import { seededRandom } from '../../models/operations/extend/seeded-random.ts';
import { snr } from '../support/media/audio.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import {
  between,
  decodeChirps as decode,
  getSamples,
  junk,
  ones,
  snrWithin,
  zeros,
} from '../support/media/chirp-samples.ts';

/** Formats of the visitors' files. The other ones are read by the same code. */
const USUAL: readonly ChirpFormat[] = ['mp3', 'opus'];
const FURTHER: readonly ChirpFormat[] = ['aac', 'ac3', 'mp2', 'm4a', 'vorbis', 'truehd', 'mkv', 'webm'];

describe.each(USUAL)('a damaged stretch of %s', testDamage);
describe.each(FURTHER)('a damaged stretch of %s', { tags: ['long'] }, testDamage);

function testDamage(format: ChirpFormat): void {
  test.each([
    ['zeros', zeros],
    ['noise', junk],
    ['ones', ones],
  ])('of %s is silent, is named, and moves nothing', async (_name, fill) => {
    const file = await chirpFile(format, 12);
    const damaged = file.slice();
    const [from, to] = [0.45, 0.55].map((share) => Math.floor(file.length * share));
    damaged.set(fill((to ?? 0) - (from ?? 0)), from);
    const [whole, found] = [await decode(file), await decode(damaged)];
    expect(Math.abs(found.seconds - whole.seconds)).toBeLessThan(0.1);
    expect(Math.abs(found.samples.length - whole.samples.length)).toBeLessThan(0.1 * CHIRP_RATE);
    expect(found.warnings).toHaveLength(1);
    const [, seconds] =
      /is damaged: ([\d.]+) s could not be read and are silent, from/.exec(found.warnings[0] ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(0.8);
    expect(Number(seconds)).toBeLessThan(3.5);
    for (const [start, end] of [
      [0.2, 4],
      [8.5, 11.5],
    ] as const) {
      expect(snrWithin(0.001, whole.samples, found.samples, [start, end])).toBeGreaterThan(10);
    }
    expect(between(found.samples, 5.8, 6.2).every((sample) => Math.abs(sample) < 0.01)).toBe(true);
  });
}

test.each([
  ['zeros', zeros],
  ['noise', junk],
  ['ones', ones],
])('%s over the head of a cluster of Matroska cost that cluster, and are named', async (_name, fill) => {
  const file = await chirpFile('mkv', 16);
  const damaged = file.slice();
  // Clusters begin every 5 s.
  const [from, to] = [4.6, 5.4].map((seconds) => Math.floor((file.length * seconds) / 16));
  damaged.set(fill((to ?? 0) - (from ?? 0)), from);
  const [whole, found] = [await decode(file), await decode(damaged)];
  expect(found.seconds).toBe(whole.seconds);
  expect(found.warnings).toEqual([
    expect.stringMatching(
      /^The audio is damaged: 5\.\d s could not be read and are silent, from 4\.\d to 10\.\d s\.$/,
    ),
  ]);
  for (const part of [
    [0.2, 4],
    [10.5, 15.8],
  ] as const)
    expect(snrWithin(0.001, whole.samples, found.samples, part)).toBeGreaterThan(60);
});

test('audio of which most is damaged is refused with words', async () => {
  const file = await chirpFile('m4a', 6);
  const damaged = file.slice();
  damaged.set(zeros(Math.floor(file.length * 0.7)), Math.floor(file.length * 0.05));
  await expect(decode(damaged)).rejects.toMatchObject({ kind: 'damaged' });
});

test('a damaged frame of True Audio is silent and named, whatever follows it', async () => {
  const file = await chirpFile('tta', 6);
  const damaged = file.slice();
  damaged.set(junk(1000), Math.floor(file.length * 0.45));
  const [whole, found] = [await decode(file), await decode(damaged)];
  // A frame lasts 256 / 245 s: the third one is damaged.
  expect(found.warnings).toEqual([
    'The audio is damaged: 1.0 s could not be read and are silent, from 2.1 to 3.1 s.',
  ]);
  expect(found.samples).toHaveLength(whole.samples.length);
  for (const [from, to] of [
    [0, 2],
    [3.2, 6],
  ] as const)
    expect(snr(between(whole.samples, from, to), between(found.samples, from, to))).toBeGreaterThan(60);
});

test.each(['vorbis', 'opus'] as const)(
  'damage at the start of %s keeps the place of the rest',
  async (format) => {
    const bytes = await chirpFile(format, 12);
    const damaged = bytes.slice();
    // Behind the headers.
    const from = Math.max(9000, Math.floor(bytes.length * 0.05));
    damaged.set(junk(Math.floor(bytes.length * 0.12)), from);
    const [whole, found] = [await decode(bytes), await decode(damaged)];
    expect(Math.abs(found.seconds - whole.seconds)).toBeLessThan(0.1);
    expect(found.warnings).toHaveLength(1);
    expect(found.warnings[0]).toContain('is damaged:');
    expect(snrWithin(0.001, whole.samples, found.samples, [8.5, 11.5])).toBeGreaterThan(10);
  },
);

/** Replaces a part of a file by noise. */
function damaged(bytes: Uint8Array, from: number, to: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom(seed);
  return Uint8Array.from(bytes, (byte, at) => (at >= from && at < to ? Math.floor(256 * random()) : byte));
}

/** Decodes stereo AAC whose first half is noise, once for each seed. The rest must be heard. */
async function checkNoise(seeds: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-noise-'));
  const path = join(folder, 'stereo.m4a');
  const recipe = { encoder: 'aac', muxer: 'ipod', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 128_000n };
  const tones = [0, 1].map((channel) => generateTone(channel, CHIRP_RATE, 6));
  writeAudioFile(path, { ...recipe, sampleRate: CHIRP_RATE, channelCount: 2 }, tones);
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(folder, { recursive: true });
  const whole = await getSamples(new Blob([bytes]));
  for (const seed of seeds) {
    const found = await getSamples(new Blob([damaged(bytes, 9000, bytes.length / 2, seed)]));
    expect(snr(between(whole, 4, 5.5), between(found, 4, 5.5))).toBeGreaterThan(10);
  }
}

const SEEDS = Array.from({ length: 60 }, (_, at) => at + 1);

test('noise in stereo AAC does not keep the rest from being heard', () => checkNoise(SEEDS.slice(0, 6)));

test('noise of many kinds in stereo AAC does not keep the rest from being heard', { tags: ['long'] }, () =>
  checkNoise(SEEDS),
);
