import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateAmrNoise, generateTone } from '../../lab/fixtures/audio-pattern.ts';
import { type Recipe, writeAudioFile } from '../../lab/fixtures/write-audio-file.ts';
import { getMessages, type RunWarning } from '../../models/core/runtime/run-warnings.ts';
import { type AudioPage, openAudioPage } from '../support/browser/audio-page.ts';
import { audioFixture, decodeSamples, levelChange, serverAudio, snr } from '../support/media/audio.ts';
import { CHIRP_RATE, type ChirpFormat, chirpFile } from '../support/media/chirp-files.ts';
import { snrWithin } from '../support/media/chirp-samples.ts';
import { AAC_CENTRES, EXACT_SOUNDS, getSine, soundIn } from '../support/media/exact-sounds.ts';
import { joinStreams } from '../support/media/join-streams.ts';
import { remux } from '../support/media/remux.ts';
import { videoFixture } from '../support/media/videos.ts';

let device: AudioPage;
beforeAll(async () => {
  device = await openAudioPage(true);
});
afterAll(() => device.stop());

const EQUAL = Number.POSITIVE_INFINITY;
/** Name, and least signal-to-noise ratio between device and server in dB. Lossless files give equal samples. */
const FILES: [string, number][] = [
  ['tone.wav', EQUAL],
  // Some browsers' decoders round it to 16 bits.
  ['tone.mp3', 80],
  ['tone.ac3', 90],
];
/** Further kinds, read by the same codecs. */
const FURTHER_FILES: typeof FILES = [
  ['tone.flac', EQUAL],
  ['tone.m4a', 100],
  ['float.wav', EQUAL],
  ['deep.wav', EQUAL],
  ['mono-8k.wav', EQUAL],
  ['wide-192k.flac', EQUAL],
  ['older-192k.flac', EQUAL],
  ['surround.flac', EQUAL],
  ['pcm.mkv', EQUAL],
  ['lossless.m4a', EQUAL],
  ['tone.aiff', EQUAL],
  ['tone.aac', 100],
  ['opus.ogg', 100],
  ['opus.webm', 100],
  ['vorbis.ogg', 100],
  ['tone.eac3', 90],
  ['surround.ac3', 90],
  ['noise.amr', 90],
  ['tone.wma', 90],
];

describe('device and server decode the same file', () => {
  async function expectSameSamples(name: string, decibels: number): Promise<void> {
    const input = await audioFixture(name);
    const facts = await serverAudio.probe(input, {});
    const { sampleRate, channelCount } = facts;
    const shape = { sampleRate, channelCount: channelCount > 1 ? 2 : 1 } as const;
    const found = await device.decode(input, shape);
    const server = await decodeSamples(input, shape);
    expect(found.facts).toEqual(facts);
    expect(found.samples.map(({ length }) => length)).toEqual(server.map(({ length }) => length));
    found.samples.forEach((samples, channel) => {
      expect(samples.length).toBeGreaterThan(0);
      expect(snr(server[channel] as Float32Array, samples)).toBeGreaterThanOrEqual(decibels);
    });
  }

  test.each(FILES)('%s gives the same samples', expectSameSamples);
  test.each(FURTHER_FILES)('%s gives the same samples', { tags: ['long'] }, expectSameSamples);

  test.each(Object.entries(EXACT_SOUNDS))(
    '%s has as many samples',
    { tags: ['long'] },
    async (_, { file, sampleRate, samples }) => {
      const { samples: channels } = await device.decode(await file(), { sampleRate, channelCount: 1 });
      expect(channels[0]).toHaveLength(samples);
    },
  );

  test.each(AAC_CENTRES)(
    'the centre of AAC %s is on both sides',
    { tags: ['long'] },
    async (_, channels, recipe) => {
      const shape = { sampleRate: 48_000, channelCount: 2 };
      const { samples } = await device.decode(await soundIn(2, channels, recipe), shape);
      const sine = getSine(48_000, 48_000, 0.3 * Math.SQRT1_2);
      for (const side of samples) expect(levelChange(sine, side)).toBeCloseTo(0, 0);
    },
  );

  test('at another rate, as mono', async () => {
    const input = await audioFixture('surround.flac');
    const shape = { sampleRate: 16_000, channelCount: 1 } as const;
    const { samples, frameCount } = await device.decode(input, shape);
    expect(frameCount).toBe(8000);
    expect(samples).toEqual(await decodeSamples(input, shape));
  });

  test.each(['tone.wav', 'tone.mp3', 'tone.flac', 'tone.aiff'])(
    'a %s that was cut off is read as far as it goes, and said to be cut off',
    { tags: ['long'] },
    async (name) => {
      const whole = await audioFixture(name);
      const shape = { sampleRate: 16_000, channelCount: 1 } as const;
      const input = whole.slice(0, Math.floor(whole.size * 0.6));
      const found = await device.decode(input, shape);
      const [server] = await decodeSamples(input, shape);
      expect(found.samples[0]?.length).toBeGreaterThan(700);
      expect(Math.abs((found.samples[0]?.length ?? 0) - (server?.length ?? 0))).toBeLessThan(1700);
      expect(getMessages(found.warnings)).toEqual([
        expect.stringMatching(/^The audio is cut off: .* 0\.\d s that could be read/),
      ]);
    },
  );

  test.each([
    ['mp4', 'tone.m4a'],
    ['mkv', 'vorbis.ogg'],
    ['webm', 'opus.webm'],
  ] as const)('a gap in %s, of %s, stays open', async (format, name) => {
    const times = (seconds: number) => seconds + (seconds > 0.25 ? 1.05 : 0.05);
    const input = await remux(await audioFixture(name), format, times);
    const shape = { sampleRate: 48_000, channelCount: 1 };
    const { samples, warnings } = await device.decode(input, shape);
    const [server = new Float32Array()] = await decodeSamples(input, { sampleRate: 48_000, channelCount: 1 });
    expect(getMessages(warnings)).toEqual([]);
    expect(server.length).toBeGreaterThan(1.4 * 48_000);
    expect(samples[0]).toHaveLength(server.length);
    expect(snr(server, samples[0] ?? server)).toBeGreaterThan(50);
  });

  test('a file without audio is rejected as on the server', async () => {
    const shape = { sampleRate: 16_000, channelCount: 1 };
    expect(await device.call('openError', await videoFixture('odd.webm'), shape)).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('no audio'),
    });
  });

  test('an abort ends decoding', async () => {
    const shape = { sampleRate: 44_100, channelCount: 1 };
    expect(await device.call('abortDecoding', await audioFixture('wide-192k.flac'), shape)).toBe(
      'AbortError',
    );
  });
});

describe('files that ffmpeg.wasm decodes in windows of two minutes', { tags: ['long'] }, () => {
  const SECONDS = 130;
  const SEAM_SECONDS = 120;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'long-audio-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function longFile(recipe: Omit<Recipe, 'sampleFormat'>): Promise<Blob> {
    const path = join(folder, `long.${recipe.muxer}`);
    const { sampleRate = 8000 } = recipe;
    writeAudioFile(path, { ...recipe, sampleFormat: AV_SAMPLE_FMT_FLTP }, [
      generateTone(0, sampleRate, SECONDS),
    ]);
    return new Blob([await readFile(path)]);
  }

  test.each<[string, () => Promise<Blob>]>([
    ['wma', () => longFile({ encoder: 'wmav2', muxer: 'asf', sampleRate: 8000, bitsPerSecond: 24_000n })],
    ['ac3', () => longFile({ encoder: 'ac3', muxer: 'ac3', sampleRate: 44_100, bitsPerSecond: 64_000n })],
    ['amr', async () => new Blob([generateAmrNoise(SECONDS * 50)])],
  ])('%s has no gap between them', async (_, makeFile) => {
    const input = await makeFile();
    const shape = { sampleRate: 8000, channelCount: 1 } as const;
    const [samples] = (await device.decode(input, shape)).samples;
    const [server] = await decodeSamples(input, shape);
    expect(samples?.length).toBe(server?.length);
    expect(server?.length).toBeGreaterThan(SECONDS * 8000 - 8000);
    const around = (each: Float32Array | undefined, seconds: number) =>
      each?.subarray((SEAM_SECONDS - seconds) * 8000, (SEAM_SECONDS + seconds) * 8000) as Float32Array;
    expect(snr(around(server, 0.1), around(samples, 0.1))).toBeGreaterThan(70);
    expect(snr(server as Float32Array, samples as Float32Array)).toBeGreaterThan(70);
  });
});

describe('files of several tracks and with damage, as on the server', () => {
  const shape = { sampleRate: 48_000, channelCount: 1 } as const;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tracks-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function write(
    name: string,
    recipe: Omit<Recipe, 'sampleRate'>,
    tone: Float32Array,
  ): Promise<string> {
    const path = join(folder, name);
    writeAudioFile(path, { ...recipe, sampleRate: 48_000 }, [tone]);
    return path;
  }

  test.each<[string, Omit<Recipe, 'sampleRate'>]>([
    ['flac', { encoder: 'flac', muxer: 'flac', sampleFormat: AV_SAMPLE_FMT_S16 }],
    ['mp2', { encoder: 'mp2', muxer: 'mp2', sampleFormat: AV_SAMPLE_FMT_S16 }],
  ])('of two tracks of %s the one that is not silent is heard', { tags: ['long'] }, async (codec, recipe) => {
    const tone = generateTone(0, 48_000, 2);
    const silent = await write(`silent.${codec}`, recipe, new Float32Array(tone.length));
    const paths = [silent, await write(`loud.${codec}`, recipe, tone)];
    const path = join(folder, `${codec}.mkv`);
    joinStreams(paths, path, 'matroska');
    const input = new Blob([await readFile(path)]);
    const { samples, warnings } = await device.decode(input, shape);
    expect(getMessages(warnings)).toEqual(['The file has 2 audio tracks. Only number 2 was used.']);
    const [server] = await decodeSamples(input, shape);
    expect(Math.abs(levelChange(server as Float32Array, samples[0] as Float32Array))).toBeLessThan(0.1);
  });

  test('damage in what ffmpeg.wasm decodes is silent, and what follows keeps its place', async () => {
    const recipe = { encoder: 'alac', muxer: 'mov', sampleFormat: AV_SAMPLE_FMT_S16P } as const;
    const bytes = await readFile(await write('damaged.mov', recipe, generateTone(0, 48_000, 6)));
    bytes.fill(0xff, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.5));
    const input = new Blob([bytes]);
    const found = await device.decode(input, shape);
    expect(found.warnings).toMatchObject([{ kind: 'damaged_audio' }]);
    expect(Number(found.warnings[0]?.names[0])).toBeCloseTo(0.6, 0);
    const [server] = await decodeSamples(input, shape);
    const [samples] = found.samples;
    expect(samples).toHaveLength(server?.length ?? 0);
    const end = (each: Float32Array | undefined) => each?.subarray(4 * 48_000) as Float32Array;
    expect(snr(end(server), end(samples))).toBeGreaterThan(70);
  });
});

describe('what only ffmpeg.wasm reads, as on the server', { tags: ['long'] }, () => {
  const shape = { sampleRate: CHIRP_RATE, channelCount: 1 } as const;
  const getSeconds = (warnings: readonly RunWarning[]) => Number(warnings[0]?.names[0]);

  /** Best signal-to-noise ratio of a part with a difference in time of up to 5 ms, in steps of a sample. */
  function snrNearby(
    expected: Float32Array = new Float32Array(0),
    samples: Float32Array = new Float32Array(0),
    [from, to]: readonly [number, number],
  ): number {
    const part = (each: Float32Array, shift: number) =>
      each.subarray(from * CHIRP_RATE + shift, to * CHIRP_RATE + shift);
    const shifts = Array.from({ length: 481 }, (_, at) => at - 240);
    return Math.max(...shifts.map((shift) => snr(part(expected, 0), part(samples, shift))));
  }

  test.each<[ChirpFormat, number]>([
    ['tta', 40],
    ['truehd', 40],
    ['mpeg', 40],
  ])('a damaged stretch of %s is silent, is named, and moves nothing', async (format, decibels) => {
    const bytes = await chirpFile(format, 12);
    bytes.fill(0, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.55));
    const input = new Blob([bytes]);
    const { samples, warnings } = await device.decode(input, shape);
    const server = await serverAudio.decode(input, { ...shape, signal: new AbortController().signal });
    for await (const _ of server.chunks());
    expect(warnings.map(({ kind }) => kind)).toEqual(['damaged_audio']);
    expect(Math.abs(getSeconds(warnings) - getSeconds(server.warnings()))).toBeLessThan(0.25);
    const [expected] = await decodeSamples(input, shape);
    expect(Math.abs((samples[0]?.length ?? 0) - (expected?.length ?? 0))).toBeLessThan(0.05 * CHIRP_RATE);
    expect(snrNearby(expected, samples[0], [9, 11.5])).toBeGreaterThan(decibels);
  });

  test('files of TrueHD one after the other are all heard', async () => {
    const bytes = await chirpFile('truehd', 2);
    const input = new Blob([bytes, bytes]);
    const { samples, warnings } = await device.decode(input, shape);
    const [expected] = await decodeSamples(input, shape);
    expect(warnings).toEqual([]);
    expect(Math.abs((samples[0]?.length ?? 0) - (expected?.length ?? 0))).toBeLessThan(0.05 * CHIRP_RATE);
    expect(snrNearby(expected, samples[0], [2.2, 3.8])).toBeGreaterThan(40);
  });
});

describe('troubled files', () => {
  const shape = { sampleRate: CHIRP_RATE, channelCount: 1 } as const;

  async function expectSameWarnings(input: Blob, kind: RunWarning['kind']): Promise<void> {
    const { samples, warnings } = await device.decode(input, shape);
    const server = await serverAudio.decode(input, { ...shape, signal: new AbortController().signal });
    for await (const _ of server.chunks());
    expect(warnings).toMatchObject([{ kind }]);
    expect(warnings).toEqual(server.warnings());
    const [expected] = await decodeSamples(input, shape);
    const length = expected?.length ?? 0;
    expect(Math.abs((samples[0]?.length ?? 0) - length)).toBeLessThan(0.05 * CHIRP_RATE);
    const seconds = length / CHIRP_RATE;
    const span = [0.7 * seconds, seconds - 0.2] as const;
    expect(snrWithin(0.001, expected as Float32Array, samples[0] as Float32Array, span)).toBeGreaterThan(40);
  }

  async function checkDamage(format: ChirpFormat): Promise<void> {
    const bytes = await chirpFile(format, 12);
    bytes.fill(0, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.55));
    await expectSameWarnings(new Blob([bytes]), 'damaged_audio');
  }

  test('a damaged stretch of WebM is named as on the server', () => checkDamage('webm'));
  test('a damaged stretch of Matroska is named as on the server', { tags: ['long'] }, () =>
    checkDamage('mkv'),
  );

  async function checkJoined(format: ChirpFormat): Promise<void> {
    const bytes = await chirpFile(format, 2);
    await expectSameWarnings(new Blob([bytes, bytes]), 'second_file');
  }

  test('a second file behind a FLAC is named as on the server', () => checkJoined('flac'));
  test.each(['wav', 'm4a', 'mkv', 'mp2 in ts', 'mpeg', 'wma'] as const)(
    'a second file behind a file of %s is named as on the server',
    { tags: ['long'] },
    checkJoined,
  );
});

test('FFmpeg reads a recording beyond the limit to a minute behind it', async () => {
  const input = new Blob([generateAmrNoise(200 * 50)]);
  const shape = { sampleRate: 8000, channelCount: 1, secondsMax: 10 };
  expect(await device.call('openError', input, shape)).toEqual({
    code: 'bad_request',
    message: 'The audio lasts 70 s. At most 10 s are allowed.',
  });
});

describe('a page without SharedArrayBuffer', { tags: ['long'] }, () => {
  let page: AudioPage;
  beforeAll(async () => {
    page = await openAudioPage(false);
  });
  afterAll(() => page.stop());
  const shape = { sampleRate: 16_000, channelCount: 1 };

  test.each(['tone.wma', 'noise.amr'])('rejects %s, and suggests the server', async (name) => {
    expect(await page.call('openError', await audioFixture(name), shape)).toEqual({
      code: 'unavailable',
      message: `Reading this file needs SharedArrayBuffer, which this page cannot use. Run it on the server.`,
    });
  });

  test('decodes the formats of the browser, and encodes mp3', async () => {
    const input = await audioFixture('tone.mp3');
    const stereo = { sampleRate: 44_100, channelCount: 2 } as const;
    expect(await page.call('openError', input, shape)).toBeNull();
    const written = await page.encode(input, { format: 'mp3', ...stereo });
    const [samples] = await decodeSamples(new Blob([written]), stereo);
    expect(samples).toHaveLength(22_050);
  });
});

describe('audio that the device encodes, decoded by the server', () => {
  test.each(['wav', 'flac', 'mp3'] as const)(
    '%s has exactly its frames, at the same level',
    async (format) => {
      const shape = { sampleRate: 44_100, channelCount: 2 } as const;
      const input = await audioFixture('tone.flac');
      const written = new Blob([await device.encode(input, { format, ...shape })]);
      const [before, after] = [await decodeSamples(input, shape), await decodeSamples(written, shape)];
      after.forEach((samples, channel) => {
        const original = before[channel] as Float32Array;
        expect(samples).toHaveLength(22_050);
        expect(snr(original, samples)).toBeGreaterThan(format === 'mp3' ? 35 : 75);
        expect(Math.abs(levelChange(original, samples))).toBeLessThan(0.02);
      });
    },
  );
});
