import { describe, expect, test } from 'vitest';
import { generateTone } from '../../../../lab/fixtures/audio-pattern.ts';
import type { AudioFormat } from '../../../../models/core/runtime/audio-codec.ts';
import { audioFixture, decodeSamples, levelChange, serverAudio, snr } from '../../../support/media/audio.ts';
import { videoFixture } from '../../../support/media/videos.ts';

const { signal } = new AbortController();

async function* getChunks(samples: Float32Array<ArrayBuffer>, channelCount: number) {
  for (let at = 0; at < samples.length; at += 5000) {
    yield Array.from({ length: channelCount }, () => samples.slice(at, at + 5000));
  }
}

/**
 * Name, codec, rate, channels, frames, and least signal-to-noise ratio in dB; null where the audio is not a tone, or
 * begins late.
 */
const FILES: [string, string, number, number, number, number | null][] = [
  ['tone.wav', 'pcm-s16', 44_100, 2, 22_050, 75],
  ['float.wav', 'pcm-f32', 44_100, 1, 4410, 140],
  ['deep.wav', 'pcm-s24', 44_100, 1, 4410, 120],
  ['mono-8k.wav', 'pcm-s16', 8000, 1, 4000, 75],
  ['tone.flac', 'flac', 44_100, 2, 22_050, 75],
  ['wide-192k.flac', 'flac', 192_000, 1, 96_000, 75],
  // The same, written by FFmpeg 5.
  ['older-192k.flac', 'flac', 192_000, 1, 96_000, 75],
  ['surround.flac', 'flac', 44_100, 6, 22_050, null],
  ['tone.mp3', 'mp3', 44_100, 2, 22_050, 20],
  ['tone.m4a', 'aac', 44_100, 2, 22_050, 10],
  ['lossless.m4a', 'alac', 44_100, 2, 22_050, 75],
  ['tone.aac', 'aac', 44_100, 2, 23_552, null],
  ['opus.ogg', 'opus', 48_000, 2, 24_000, 30],
  ['opus.webm', 'opus', 48_000, 2, 24_000, 30],
  ['vorbis.ogg', 'vorbis', 44_100, 2, 22_050, 25],
  ['pcm.mkv', 'pcm-s16', 44_100, 2, 4410, 75],
  // With the frame that its decoder leaves out at the start, and what fills up the last one.
  ['tone.wma', 'wmav2', 44_100, 2, 22_528, null],
  ['tone.aiff', 'pcm_s16be', 44_100, 2, 4410, 75],
  ['tone.ac3', 'ac3', 48_000, 2, 24_576, null],
  ['tone.eac3', 'eac3', 48_000, 2, 24_576, null],
  ['surround.ac3', 'ac3', 48_000, 6, 24_576, null],
  ['noise.amr', 'amr_nb', 8000, 1, 4000, null],
];

describe.each(FILES)('%s', (name, codec, sampleRate, channelCount, frames, decibels) => {
  test('is measured by its packets', async () => {
    const facts = await serverAudio.probe(await audioFixture(name), {});
    expect(facts).toMatchObject({ codec, sampleRate, channelCount, hasVideo: false });
    expect(Math.abs(facts.durationSeconds - frames / sampleRate)).toBeLessThan(
      codec === 'wmav2' ? 0.05 : 0.005,
    );
  });

  test('is decoded completely, at the right times', async () => {
    const asked = channelCount > 1 ? 2 : 1;
    const samples = await decodeSamples(await audioFixture(name), { sampleRate, channelCount: asked });
    expect(samples.map(({ length }) => length)).toEqual(samples.map(() => frames));
    for (const [channel, decoded] of samples.entries()) {
      expect(decoded.some(Number.isNaN)).toBe(false);
      if (decibels !== null) {
        const ideal = generateTone(channel, sampleRate, frames / sampleRate > 0.3 ? 0.5 : 0.1);
        expect(snr(ideal, decoded)).toBeGreaterThan(decibels);
      }
    }
  });
});

describe('audio at another rate', () => {
  test.each([8000, 16_000, 44_100, 192_000])('of %i Hz, mono', async (sampleRate) => {
    const [samples] = await decodeSamples(await audioFixture('tone.flac'), { sampleRate, channelCount: 1 });
    expect(samples).toHaveLength(sampleRate / 2);
  });

  test('of a video', async () => {
    const input = await videoFixture('moving.mp4');
    expect(await serverAudio.probe(input, {})).toMatchObject({ hasVideo: true, mediaType: 'video/mp4' });
    const [samples] = await decodeSamples(input, { sampleRate: 16_000, channelCount: 1 });
    expect(samples).toHaveLength(0.48 * 16_000);
  });
});

describe('invalid audio', () => {
  test.each(['odd.webm', 'uneven.mp4'])('%s has no audio', async (name) => {
    await expect(serverAudio.probe(await videoFixture(name), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('no audio'),
    });
  });

  test('an impossible sample rate is rejected', async () => {
    const bytes = new Uint8Array(await (await audioFixture('tone.aiff')).arrayBuffer());
    const at = Buffer.from(bytes).indexOf('COMM');
    // The exponent of the 80-bit rate follows identifier, size, channels, frames and bits.
    new DataView(bytes.buffer).setUint16(at + 16, 16_383 + 98);
    await expect(serverAudio.probe(new Blob([bytes]), {})).rejects.toMatchObject({
      code: 'bad_request',
      kind: 'damaged',
    });
  });

  test('an endless series of dependent E-AC-3 frames is rejected without reading it all', async () => {
    const file = new Uint8Array(await (await audioFixture('tone.eac3')).arrayBuffer());
    const frame = file.slice(0, ((((file[2] ?? 0) & 7) << 8) + (file[3] ?? 0) + 1) * 2);
    const dependent = Uint8Array.from(frame, (byte, at) => (at === 2 ? (byte & 0x3f) | 0x40 : byte));
    const rows = [frame, ...Array.from({ length: 20 }, () => dependent)];
    await expect(serverAudio.probe(new Blob(rows), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('dependent frames'),
    });
  });

  test('a text has an unknown format', async () => {
    await expect(serverAudio.probe(new Blob(['nothing of the kind']), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('no known'),
    });
  });

  test.each(['tone.m4a'])('a truncated %s is rejected', async (name) => {
    const whole = await audioFixture(name);
    await expect(serverAudio.probe(whole.slice(0, Math.floor(whole.size * 0.6)), {})).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test.each(['tone.wav', 'tone.mp3', 'tone.flac', 'tone.aac', 'noise.amr', 'tone.ac3', 'tone.aiff'])(
    'a truncated %s is as long as its remaining audio',
    async (name) => {
      const whole = await audioFixture(name);
      const { durationSeconds } = await serverAudio.probe(whole, {});
      const cut = await serverAudio.probe(whole.slice(0, Math.floor(whole.size * 0.6)), {});
      expect(cut.durationSeconds).toBeLessThan(durationSeconds * 0.7);
    },
  );

  test.each([7999, 192_001, 44_100.5, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'a sample rate of %d is rejected',
    async (sampleRate) => {
      const options = { sampleRate, channelCount: 1, signal } as const;
      const refusal = {
        code: 'bad_request',
        message: expect.stringMatching(/^sampleRate: must be an integer/),
      };
      const input = await audioFixture('tone.flac');
      await expect(serverAudio.decode(input, options)).rejects.toMatchObject(refusal);
      const chunks = getChunks(new Float32Array(9), 1);
      await expect(serverAudio.encode(chunks, { ...options, format: 'wav' })).rejects.toMatchObject(refusal);
    },
  );

  test.each([0, 3, 1.5, Number.NaN])('%d channels are rejected', async (channelCount) => {
    const options = { sampleRate: 44_100, channelCount: channelCount as 1, signal };
    const refusal = { code: 'bad_request', message: expect.stringMatching(/^channelCount: must be 1/) };
    await expect(serverAudio.decode(await audioFixture('tone.flac'), options)).rejects.toMatchObject(refusal);
    const chunks = getChunks(new Float32Array(9), 1);
    await expect(serverAudio.encode(chunks, { ...options, format: 'wav' })).rejects.toMatchObject(refusal);
  });

  test('audio longer than `secondsMax` is rejected before it is decoded', async () => {
    const options = { sampleRate: 44_100, channelCount: 1, secondsMax: 0.4, signal } as const;
    const input = await audioFixture('tone.flac');
    await expect(serverAudio.decode(input, options)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('At most'),
    });
    await expect(serverAudio.decode(input, { ...options, secondsMax: 0.5 })).resolves.toBeDefined();
  });

  test('a file with more samples than it declares ends at `secondsMax`', async () => {
    const input = await audioFixture('tone.wma');
    const { durationSeconds: secondsMax } = await serverAudio.probe(input, {});
    const shape = { sampleRate: 44_100, channelCount: 1 } as const;
    const [whole] = await decodeSamples(input, shape);
    const [limited] = await decodeSamples(input, { ...shape, secondsMax });
    expect(whole?.length).toBeGreaterThan(Math.round(secondsMax * 44_100));
    expect(limited).toHaveLength(Math.round(secondsMax * 44_100));
  });

  test('more samples than allowed are rejected before they are decoded', async () => {
    const input = await audioFixture('tone.flac');
    for (const limits of [{ secondsMax: 0.4 }, { bytesMax: 1000 }]) {
      await expect(serverAudio.probe(input, limits)).rejects.toMatchObject({ code: 'bad_request' });
    }
  });

  test('a file with noise is rejected or decoded without a crash', async () => {
    for (const [name] of FILES) {
      const bytes = new Uint8Array(await (await audioFixture(name)).arrayBuffer());
      for (const seed of [1, 2, 3]) {
        const damaged = bytes.map((byte, at) =>
          at > 40 && at % (97 * seed) === 0 ? (at * seed) % 256 : byte,
        );
        const options = { sampleRate: 16_000, channelCount: 1 } as const;
        const outcome = await decodeSamples(new Blob([damaged]), options).catch((thrown) => thrown.code);
        expect(Array.isArray(outcome) || ['bad_request', 'unprocessable'].includes(outcome)).toBe(true);
      }
    }
  });

  test('reading ends when it is aborted', async () => {
    const controller = new AbortController();
    const options = { sampleRate: 44_100, channelCount: 1, signal: controller.signal } as const;
    const audio = await serverAudio.decode(await audioFixture('tone.flac'), options);
    controller.abort();
    await expect(audio.chunks()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('written audio', () => {
  test.each<[AudioFormat, number, 1 | 2, number]>([
    ['wav', 44_100, 2, 1],
    ['wav', 16_000, 1, 22_051],
    ['mp3', 44_100, 2, 1],
    ['mp3', 44_100, 2, 100_003],
    ['mp3', 48_000, 1, 1152],
    ['mp3', 32_000, 2, 22_050],
  ])('%s at %i Hz, %i channels, has exactly %i frames', async (format, sampleRate, channelCount, length) => {
    const tone = generateTone(0, sampleRate, length / sampleRate);
    const options = { format, sampleRate, channelCount, signal };
    const written = await serverAudio.encode(getChunks(tone, channelCount), options);
    expect(written.type).toBe(format === 'wav' ? 'audio/wav' : 'audio/mpeg');
    const samples = await decodeSamples(written, { sampleRate, channelCount });
    expect(samples.map((channel) => channel.length)).toEqual(samples.map(() => length));
    if (length < 1000) return;
    for (const channel of samples) expect(snr(tone, channel)).toBeGreaterThan(format === 'wav' ? 75 : 35);
  });

  test.each([
    [44_100, 2, 0.3],
    [44_100, 1, 1],
    [48_000, 2, 1],
    [32_000, 1, 0.01],
  ] as const)(
    'mp3 at %i Hz, %i channels, keeps the level of a sine of %f',
    async (sampleRate, channelCount, peak) => {
      const sine = Float32Array.from(
        { length: sampleRate },
        (_, at) => peak * Math.sin((at * 2765) / sampleRate),
      );
      const options = { format: 'mp3', sampleRate, channelCount, signal } as const;
      const written = await serverAudio.encode(getChunks(sine, channelCount), options);
      for (const samples of await decodeSamples(written, { sampleRate, channelCount })) {
        expect(Math.abs(levelChange(sine, samples))).toBeLessThan(0.02);
      }
    },
  );

  test('a wav clips samples beyond full scale', async () => {
    const loud = Float32Array.from([2, -2, 0.5]);
    const options = { format: 'wav', sampleRate: 8000, channelCount: 1, signal } as const;
    const bytes = await (await serverAudio.encode(getChunks(loud, 1), options)).arrayBuffer();
    expect([...new Int16Array(bytes.slice(44))]).toEqual([32_767, -32_768, 16_384]);
  });

  test('an mp3 is written at three rates only', async () => {
    const options = { format: 'mp3', sampleRate: 22_050, channelCount: 1, signal } as const;
    await expect(serverAudio.encode(getChunks(new Float32Array(9), 1), options)).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});
