import { describe, expect, test } from 'vitest';
import { flacFrameHeadAt } from '../../models/files/audio/formats/flac.ts';
import { messagesOf } from '../../models/runtime/run-warnings.ts';
import { generateAmrNoise } from '../../scripts/fixtures/audio-pattern.ts';
import { serverAudio, snr } from '../support/media/audio.ts';
import { writeAvi } from '../support/media/avi-files.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import { remux } from '../support/media/remux.ts';

const SHAPE = { sampleRate: CHIRP_RATE, channelCount: 1, signal: new AbortController().signal } as const;

async function decode(...parts: Uint8Array<ArrayBuffer>[]) {
  const audio = await serverAudio.decode(new Blob(parts), SHAPE);
  const samples: number[] = [];
  for await (const [chunk] of audio.chunks()) for (const sample of chunk ?? []) samples.push(sample);
  return {
    samples: Float32Array.from(samples),
    seconds: audio.facts.durationSeconds,
    warnings: messagesOf(audio.warnings()),
  };
}

/** Part of samples, between two times in seconds. */
const between = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(Math.round(from * CHIRP_RATE), Math.round(to * CHIRP_RATE));

/** Best signal-to-noise ratio with a difference in time: Matroska's times are whole milliseconds. */
function snrWithin(
  seconds: number,
  samples: Float32Array,
  others: Float32Array,
  [start, end]: readonly [number, number],
): number {
  const steps = Array.from({ length: 2 * seconds * CHIRP_RATE + 1 }, (_, at) => at / CHIRP_RATE - seconds);
  const expected = between(samples, start, end);
  return Math.max(...steps.map((step) => snr(expected, between(others, start + step, end + step))));
}

const zeros = (length: number) => new Uint8Array(length);
const ones = (length: number) => new Uint8Array(length).fill(255);
const junk = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 193 + (at >> 5)) % 251);

/** ID3v2 tag of a size, whose four bytes have seven bits each. */
function id3(length: number): Uint8Array<ArrayBuffer> {
  const tag = zeros(length + 10);
  const size = [21, 14, 7, 0].map((bits) => (length >> bits) & 127);
  tag.set([0x49, 0x44, 0x33, 3, 0, 0, ...size]);
  return tag;
}

describe.each<[ChirpFormat, number]>([
  ['mp3', 30],
  ['opus', 20],
  ['vorbis', 20],
  ['flac', 60],
  ['wav', 60],
  ['aiff', 60],
  ['w64', 60],
  ['au', 60],
  ['caf', 60],
  ['avi', 60],
  ['mp3 in avi', 5],
  ['alac in caf', 60],
  ['tta', 60],
  ['wavpack', 60],
  ['truehd', 60],
  ['wma', 20],
  ['mpeg', 5],
  ['flv', 5],
  ['aac', 5],
  ['m4a', 20],
  ['mkv', 20],
])('files of %s one after the other', (format, decibels) => {
  test('are all heard', async () => {
    const file = await chirpFile(format, 2);
    const [one, two] = [await decode(file), await decode(file, file)];
    expect(one.warnings).toEqual([]);
    expect(two.warnings).toEqual([]);
    expect(two.seconds).toBeCloseTo(2 * one.seconds, 2);
    const second = two.samples.subarray(two.samples.length - one.samples.length);
    expect(snr(between(one.samples, 0.2, 1.8), between(two.samples, 0.2, 1.8))).toBeGreaterThan(decibels);
    expect(snr(between(one.samples, 0.2, 1.8), between(second, 0.2, 1.8))).toBeGreaterThan(decibels);
  });
});

const BEGINNINGS: readonly (readonly [string, readonly Uint8Array<ArrayBuffer>[]])[] = [
  ['zeros', [zeros(300_000)]],
  ['stray bytes', [junk(5000)]],
  ['a huge ID3 tag', [id3(600_000)]],
  ['two ID3 tags', [id3(1000), id3(2000)]],
  ['an ID3 tag and zeros', [id3(1000), zeros(5000)]],
  ['a part of a frame', [Uint8Array.of(0xff, 0xfb, 0x90, 0x64), junk(150)]],
];

describe.each(['mp3', 'aac', 'ac3', 'mp2'] as const)('%s', (format) => {
  test.each(BEGINNINGS)('begins after %s', async (_name, beginning) => {
    const file = await chirpFile(format, 2);
    const [whole, late] = [await decode(file), await decode(...beginning, file)];
    expect(late.warnings).toEqual([]);
    expect(late.seconds).toBeCloseTo(whole.seconds, 3);
    expect(snr(between(whole.samples, 0.2, 1.8), between(late.samples, 0.2, 1.8))).toBeGreaterThan(40);
  });
});

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

  test('at its end is said to be missing', async () => {
    const found = await decode(damagedFile(ones, 6 + 500 * 32, file.length));
    expect(found.seconds).toBeCloseTo(10, 2);
    expect(found.warnings).toEqual([
      'The audio is cut off: the result covers the 10.0 s that could be read.',
    ]);
  });
});

test('AMR of several channels is refused with words', async () => {
  const bytes = new TextEncoder().encode('#!AMR_MC1.0\n\0\0\0\u0002');
  await expect(decode(new Uint8Array(bytes))).rejects.toThrow(
    'The file is an AMR file of several channels, which is not supported.',
  );
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

/** Places of the frames of a FLAC file, by their heads. */
function frameStarts(bytes: Uint8Array): number[] {
  return [...bytes.keys()].filter((at) => bytes[at] === 0xff && flacFrameHeadAt(bytes, at));
}

test('audio of which most is damaged is refused with words', async () => {
  const file = await chirpFile('m4a', 6);
  const damaged = file.slice();
  damaged.set(zeros(Math.floor(file.length * 0.7)), Math.floor(file.length * 0.05));
  await expect(decode(damaged)).rejects.toMatchObject({ kind: 'damaged' });
});

test('audio in fragments that is cut off is read as far as it goes', async () => {
  const file = await remux(new Blob([await chirpFile('m4a', 6)]), 'fragmented', (seconds) => seconds);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [whole, cut] = [await decode(bytes), await decode(bytes.slice(0, Math.floor(bytes.length / 2)))];
  expect(whole.warnings).toEqual([]);
  expect(cut.seconds).toBeGreaterThan(2);
  expect(cut.seconds).toBeLessThan(4);
  expect(cut.warnings).toEqual([
    `The audio is cut off: the result covers the ${cut.seconds.toFixed(1)} s that could be read.`,
  ]);
  expect(snr(between(whole.samples, 0.2, 1.8), between(cut.samples, 0.2, 1.8))).toBeGreaterThan(40);
});

test('joined files of fragments are heard whole', async () => {
  const file = await remux(new Blob([await chirpFile('m4a', 2)]), 'fragmented', (seconds) => seconds);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [one, two] = [await decode(bytes), await decode(bytes, bytes)];
  expect(two.warnings).toEqual([]);
  expect(two.seconds).toBeCloseTo(2 * one.seconds, 2);
});

test('Matroska that is cut off within its only cluster is read as far as it goes', async () => {
  const bytes = await chirpFile('mkv', 3);
  const [whole, cut] = [await decode(bytes), await decode(bytes.slice(0, Math.floor(bytes.length * 0.7)))];
  expect(cut.seconds).toBeGreaterThan(1.7);
  expect(cut.seconds).toBeLessThan(2.4);
  expect(cut.warnings).toEqual([
    `The audio is cut off: the result covers the ${cut.seconds.toFixed(1)} s that could be read.`,
  ]);
  expect(snrWithin(0.001, whole.samples, cut.samples, [0.2, 1.6])).toBeGreaterThan(10);
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

test('AMR files one after the other are all heard', async () => {
  const file = new Uint8Array(generateAmrNoise(100));
  const [one, three] = [await decode(file), await decode(file, file, file)];
  expect(one.seconds).toBeCloseTo(2, 2);
  expect(three.seconds).toBeCloseTo(6, 2);
  expect(three.samples).toHaveLength(3 * one.samples.length);
  expect(three.warnings).toEqual([]);
});

/** Length of 12 s of which 80 % are there, as far as the frames of each format are whole. */
test.each<[ChirpFormat, number, number]>([
  ['tta', 8.3, 9.7],
  ['wavpack', 8.4, 9.7],
  ['w64', 9.5, 9.7],
  ['au', 9.5, 9.7],
  ['wma', 9.3, 9.8],
])('%s that is cut off costs what is there, and says so', async (format, least, most) => {
  const file = await chirpFile(format, 12);
  const cut = await decode(file.slice(0, Math.floor(file.length * 0.8)));
  expect(cut.seconds).toBeGreaterThan(least);
  expect(cut.seconds).toBeLessThan(most);
  expect(cut.warnings).toEqual([
    expect.stringMatching(/^The audio is cut off: the result covers the [89]\.\d s/),
  ]);
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

test('FLAC that was cut at its start, whose header states the whole, is not said to lack its end', async () => {
  const file = await chirpFile('flac', 6);
  const starts = frameStarts(file);
  const second = starts[Math.floor(starts.length / 3)] as number;
  const cut = await decode(file.slice(0, starts[0]), file.slice(second));
  expect(cut.warnings).toEqual([]);
  expect(cut.seconds).toBeGreaterThan(3.9);
  expect(cut.seconds).toBeLessThan(4.2);
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
