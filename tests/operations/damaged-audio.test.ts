import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { describe, expect, test } from 'vitest';
import { generateAmrNoise, generateTone } from '../../lab/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../lab/fixtures/write-audio-file.ts';
import { probeAudio } from '../../models/media/audio/read/probe-audio.ts';
import { seededRandom } from '../../models/operations/extend/seeded-random.ts';
import { snr } from '../support/media/audio.ts';
import { writeAvi } from '../support/media/avi-files.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import {
  between,
  decodeChirps as decode,
  getSamples,
  getWarnings,
  junk,
  ones,
  snrWithin,
  zeros,
} from '../support/media/chirp-samples.ts';

const DAMAGED: readonly ChirpFormat[] = [
  ...([
    'mp3',
    'aac',
    'ac3',
    'mp2',
    'm4a',
    'flac',
    'vorbis',
    'opus',
    'mkv',
    'mp2 in mkv',
    'mp2 in ts',
    'mpeg',
    'flv',
    'wma',
    'truehd',
    'wavpack',
    'mp3 in avi',
  ] as const),
];

describe.each(DAMAGED)('a damaged stretch of %s', (format) => {
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
});

describe('a damaged stretch of AMR', () => {
  const FRAMES = 600;
  const file = new Uint8Array(generateAmrNoise(FRAMES));
  const damagedFile = (fill: (length: number) => Uint8Array, from: number, to: number) => {
    const damaged = file.slice();
    damaged.set(fill(to - from), from);
    return damaged;
  };
  const expectRest = async (found: Awaited<ReturnType<typeof decode>>, from: number, to: number) => {
    const whole = await decode(file);
    expect(found.samples).toHaveLength(whole.samples.length);
    expect(snr(between(whole.samples, from, to), between(found.samples, from, to))).toBeGreaterThan(10);
  };

  test.each([
    ['zeros', zeros],
    ['noise', junk],
    ['ones', ones],
  ])('of %s is silent, is named, and moves nothing', async (_name, fill) => {
    // From within the frame at 4 s to within the one at 5.2 s: a frame has 32 bytes and lasts 20 ms.
    const found = await decode(damagedFile(fill, 6 + 200 * 32 + 10, 6 + 260 * 32 + 10));
    expect(found.warnings).toEqual([
      'The audio is damaged: 1.2 s could not be read and are silent, from 4.0 to 5.2 s.',
    ]);
    await expectRest(found, 0.1, 3.9);
    await expectRest(found, 6, 11.9);
    expect(between(found.samples, 4.1, 5.1).every((sample) => sample === 0)).toBe(true);
  });

  test('at its start keeps the place of the rest', async () => {
    const found = await decode(damagedFile(zeros, 6, 6 + 50 * 32));
    expect(found.warnings).toEqual([
      'The audio is damaged: 1.0 s could not be read and are silent, from 0.0 to 1.0 s.',
    ]);
    await expectRest(found, 2, 11.9);
  });

  test('of a joined file costs that stretch only', async () => {
    const found = await decode(file, damagedFile(ones, 6 + 100 * 32, 6 + 150 * 32), file);
    expect(found.seconds).toBeCloseTo(36, 2);
    expect(found.warnings).toEqual([
      'The audio is damaged: 1.0 s could not be read and are silent, from 14.0 to 15.0 s.',
    ]);
  });

  test('at its end is reported as missing', async () => {
    const found = await decode(damagedFile(ones, 6 + 500 * 32, file.length));
    expect(found.seconds).toBeCloseTo(10, 2);
    expect(found.warnings).toEqual([
      'The audio is cut off: the result covers the 10.0 s that could be read.',
    ]);
  });
});

describe('AVI with pictures and without an index', () => {
  const SECONDS = 12;
  const sound = Array.from({ length: SECONDS * CHIRP_RATE }, (_, at) => {
    const time = at / CHIRP_RATE;
    return 0.5 * Math.sin(2 * Math.PI * (300 * time + 40 * time * time));
  });
  const sampleRate = CHIRP_RATE;
  const pcm16 = new Uint8Array(Int16Array.from(sound, (sample) => Math.round(sample * 32_767)).buffer);
  const pcm8 = Uint8Array.from(sound, (sample) => 128 + Math.round(sample * 127));
  // Large pictures at the start: the same bytes hold less sound there than elsewhere.
  const pictureBytes = (number: number) => (number < 150 ? 9000 : 3000);

  test.each([
    ['PCM of 16 bits', { tag: 1, bits: 16, bytes: pcm16 }],
    ['PCM of 8 bits, whose silence is 128', { tag: 1, bits: 8, bytes: pcm8 }],
  ])('keeps the place of %s behind damage', async (_name, coded) => {
    const file = writeAvi({ ...coded, sampleRate }, pictureBytes);
    const damaged = file.slice();
    damaged.fill(0, Math.floor(file.length * 0.3), Math.floor(file.length * 0.4));
    const [whole, found] = [await decode(file), await decode(damaged)];
    expect(whole.warnings).toEqual([]);
    expect(found.samples).toHaveLength(whole.samples.length);
    expect(found.warnings).toEqual([
      expect.stringMatching(/^The audio is damaged: .* from 2\.[5-9] to 3\.[3-9] s/),
    ]);
    for (const [from, to] of [
      [0, 2.4],
      [4, 11.9],
    ] as const)
      expect(snr(between(whole.samples, from, to), between(found.samples, from, to))).toBeGreaterThan(30);
    expect(between(found.samples, 3, 3.2).every((sample) => Math.abs(sample) < 0.01)).toBe(true);
  });

  test('keeps places closely behind several damaged stretches', async () => {
    const file = writeAvi({ tag: 1, bits: 16, bytes: pcm16, sampleRate }, () => 3000);
    const damaged = file.slice();
    for (const share of [0.2, 0.5, 0.8])
      damaged.fill(0, Math.floor(file.length * share), Math.floor(file.length * (share + 0.05)));
    const [whole, found] = [await decode(file), await decode(damaged)];
    expect(found.samples).toHaveLength(whole.samples.length);
    expect(snrWithin(0.02, whole.samples, found.samples, [3.5, 5.5])).toBeGreaterThan(30);
    expect(snr(between(whole.samples, 10.5, 11.9), between(found.samples, 10.5, 11.9))).toBeGreaterThan(30);
  });
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

test('PCM in AVI whose chunks are damaged keeps its place, and the silence is named', async () => {
  const file = await chirpFile('avi', 12);
  const damaged = file.slice();
  damaged.fill(0, Math.floor(file.length * 0.45), Math.floor(file.length * 0.55));
  const [whole, found] = [await decode(file), await decode(damaged)];
  expect(found.samples).toHaveLength(whole.samples.length);
  expect(found.warnings).toEqual([
    expect.stringMatching(
      /^The audio is damaged: 1\.[12] s could not be read and are silent, from 5\.4 to 6\.6 s/,
    ),
  ]);
  for (const [from, to] of [
    [0, 5.3],
    [6.7, 12],
  ] as const)
    expect(snr(between(whole.samples, from, to), between(found.samples, from, to))).toBeGreaterThan(60);
});

test.each(['vorbis', 'opus', 'flac'] as const)(
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

test('noise in stereo AAC does not keep the rest from being heard', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-noise-'));
  const path = join(folder, 'stereo.m4a');
  const recipe = { encoder: 'aac', muxer: 'ipod', sampleFormat: AV_SAMPLE_FMT_FLTP, bitsPerSecond: 128_000n };
  const tones = [0, 1].map((channel) => generateTone(channel, CHIRP_RATE, 6));
  writeAudioFile(path, { ...recipe, sampleRate: CHIRP_RATE, channelCount: 2 }, tones);
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(folder, { recursive: true });
  const whole = await getSamples(new Blob([bytes]));
  for (let seed = 1; seed <= 60; seed++) {
    const found = await getSamples(new Blob([damaged(bytes, 9000, bytes.length / 2, seed)]));
    expect(snr(between(whole, 4, 5.5), between(found, 4, 5.5))).toBeGreaterThan(10);
  }
});

test('ones in a Matroska file, which readers of it refuse, are silent and named', async () => {
  const bytes = await chirpFile('mkv', 12);
  const [from, to] = [0.25, 0.27].map((share) => Math.floor(bytes.length * share)) as [number, number];
  const file = new Blob([
    damaged(bytes.slice().fill(255, from, to), bytes.length * 0.66, bytes.length * 0.7, 3),
  ]);
  expect((await probeAudio(file)).durationSeconds).toBeCloseTo(12, 1);
  expect(await getWarnings(file)).toEqual([
    expect.stringMatching(/is damaged: .* from [23]\.\d to 3\.\d s, 7\.\d/),
  ]);
  const [whole, found] = [await getSamples(new Blob([bytes])), await getSamples(file)];
  const best = Math.max(
    ...Array.from({ length: 97 }, (_, at) => (at - 48) / CHIRP_RATE).map((step) =>
      snr(between(whole, 9.5, 11.5), between(found, 9.5 + step, 11.5 + step)),
    ),
  );
  expect(best).toBeGreaterThan(10);
});
