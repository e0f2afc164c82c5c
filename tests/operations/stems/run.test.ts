import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { DEMUCS_SEGMENT, triangularWeights } from '../../../models/operations/stems/demucs-stems.ts';
import { audioSeparateStems } from '../../../models/operations/stems/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { audioFixture, decodeSamples, getWav, levelChange } from '../../support/media/audio.ts';
import { BASS, createSeparationInference, DRUMS } from '../../support/models/separation.ts';

const RATE = 44_100;
const STEREO = { sampleRate: RATE, channelCount: 2 } as const;
const STEP = 1 / 32_768;

const wav = (channels: Float32Array<ArrayBuffer>[], sampleRate = RATE) => getWav(channels, sampleRate);

/** Makes music: a voice-like tone in the centre, clicks, and a bass, different on both sides. */
function music(seconds: number): Blob {
  const channels = [0, 1].map((channel) =>
    Float32Array.from({ length: Math.round(seconds * RATE) }, (_, at) => {
      const angle = (2 * Math.PI * at) / RATE;
      const click = at % 22_050 < 200 ? 0.4 * Math.sin(at * at) : 0;
      return (
        0.2 * Math.sin(600 * angle + 3 * Math.sin(5 * angle)) +
        0.1 * Math.sin((channel + 1) * 90 * angle) +
        click
      );
    }),
  );
  return wav(channels);
}

async function separate(input: Blob, params: object = {}, available: readonly string[] = []) {
  const progress: { fraction: number; unit?: string }[] = [];
  const inference = createSeparationInference(available);
  const runtime = {
    ...createNodeRuntime({ signal: new AbortController().signal, inference }),
    progress: ({ fraction, count }: Progress) =>
      void progress.push({ fraction, ...(count && { unit: count.unit }) }),
  };
  const result = await audioSeparateStems.execute(input, params, runtime);
  return { ...result, progress, names: result.files.map(({ name }) => name) };
}

/** Expects the stems to add up to the input, each rounded to 16 bits. */
async function expectWhole(input: Blob, stems: readonly Blob[]) {
  const whole = await decodeSamples(input, STEREO);
  const parts = await Promise.all(stems.map((stem) => decodeSamples(stem, STEREO)));
  whole.forEach((samples, channel) => {
    let worst = 0;
    for (const part of parts) expect(part[channel]).toHaveLength(samples.length);
    samples.forEach((sample, at) => {
      const sum = parts.reduce((total, part) => total + (part[channel]?.[at] as number), 0);
      worst = Math.max(worst, Math.abs(sum - sample));
    });
    expect(worst).toBeLessThan((parts.length / 2 + 0.1) * STEP);
  });
}

const WAV = { output_format: 'wav' };

describe('audio-separate-stems', () => {
  it('makes vocals and no_vocals as mp3 by default', async () => {
    const { names, files, engine, warnings, progress } = await separate(music(2));
    expect(names).toEqual(['vocals.mp3', 'no_vocals.mp3']);
    expect(files.map(({ mediaType, blob }) => [mediaType, blob.type])).toEqual([
      ['audio/mpeg', 'audio/mpeg'],
      ['audio/mpeg', 'audio/mpeg'],
    ]);
    expect(engine).toBe('median-filter');
    expect(warnings).toEqual([]);
    expect(progress.some(({ unit }) => unit === 'minute')).toBe(true);
    expect(progress.at(-1)?.fraction).toBe(1);
    const fractions = progress.map(({ fraction }) => fraction);
    expect(fractions).toEqual([...fractions].sort((one, other) => one - other));
  });

  async function expectCutOff(engine: string): Promise<void> {
    const whole = music(2);
    const { files, warnings } = await separate(
      whole.slice(0, 44 + 4 * RATE),
      { engine, output_format: 'wav' },
      [engine],
    );
    expect(getMessages(warnings)).toContain(
      'The audio is cut off: the result covers the 1.0 s that could be read.',
    );
    for (const { blob } of files) expect((await decodeSamples(blob, STEREO))[0]).toHaveLength(RATE);
  }

  it.each(['median-filter', 'stems'])('separates with %s what is there of a cut off file', expectCutOff);
  it.each(['spleeter-4stems-fp16', 'htdemucs-fp16'])(
    'separates with %s what is there of a cut off file',
    { tags: ['long'] },
    expectCutOff,
  );

  it.each(['median-filter', 'stems', 'spleeter-4stems-fp16', 'htdemucs-fp16'])(
    'makes four wav stems that add up to the music with %s',
    { tags: ['long'] },
    async (id) => {
      const input = music(19);
      const { names, files, engine } = await separate(input, { ...WAV, stems: 'four' }, [id]);
      expect(engine).toMatch(new RegExp(`^${id}`));
      expect(names).toEqual(['vocals.wav', 'drums.wav', 'bass.wav', 'other.wav']);
      for (const { mediaType } of files) expect(mediaType).toBe('audio/wav');
      await expectWhole(
        input,
        files.map(({ blob }) => blob),
      );
    },
  );

  async function expectSum(engine: string): Promise<void> {
    const input = music(1);
    const decodeAll = async (stems: string) => {
      const { files } = await separate(input, { ...WAV, stems, engine }, [engine]);
      return await Promise.all(files.map(async ({ blob }) => (await decodeSamples(blob, STEREO))[0]));
    };
    const [vocals, rest] = await decodeAll('two');
    const [sung, ...others] = await decodeAll('four');
    expect(vocals).toEqual(sung);
    expect(rest).toEqual(rest?.map((_, at) => others.reduce((sum, part) => sum + (part?.[at] ?? 0), 0)));
  }

  it.each(['median-filter'])('makes two stems that are the sum of four with %s', expectSum);
  it.each(['stems'])('makes two stems that are the sum of four with %s', { tags: ['long'] }, expectSum);

  it.each(['median-filter', 'stems'])('makes nothing of silence with %s', async (id) => {
    const input = wav([new Float32Array(RATE), new Float32Array(RATE)]);
    const { files } = await separate(input, WAV, [id]);
    for (const { blob } of files) {
      const [samples] = await decodeSamples(blob, STEREO);
      expect(samples).toHaveLength(RATE);
      expect(samples?.every((sample) => sample === 0)).toBe(true);
    }
  });

  it.each(['stems', 'spleeter-4stems-fp16'])('separates half a second with %s', async (id) => {
    const input = music(0.5);
    const { files, engine } = await separate(input, { ...WAV, stems: 'four' }, [id]);
    expect(engine).toBe(`${id} on cpu`);
    await expectWhole(
      input,
      files.map(({ blob }) => blob),
    );
  });

  async function expectStereo(name: string): Promise<void> {
    const input = await audioFixture(name);
    const { files } = await separate(input, WAV);
    await expectWhole(
      input,
      files.map(({ blob }) => blob),
    );
  }

  it.each(['mono-8k.wav', 'opus.webm'])('separates %s at 44.1 kHz in stereo', expectStereo);
  it.each(['wide-192k.flac', 'surround.flac', 'tone.m4a'])(
    'separates %s at 44.1 kHz in stereo',
    { tags: ['long'] },
    expectStereo,
  );

  it('puts what lies in the centre into the vocals, and clicks into the drums', {
    tags: ['long'],
  }, async () => {
    const { files } = await separate(music(8), { ...WAV, stems: 'four' });
    const [vocals, drums, bass] = await Promise.all(files.map(({ blob }) => decodeSamples(blob, STEREO)));
    const click = (sound: Float32Array[] | undefined) =>
      sound?.[0]?.subarray(4 * RATE, 4 * RATE + 200) ?? new Float32Array(1);
    expect(levelChange(click(vocals), click(drums))).toBeGreaterThan(6);
    expect(levelChange(drums?.[0] as Float32Array, bass?.[0] as Float32Array)).toBeGreaterThan(0);
  });

  it('limits a stem to full scale, and keeps the sum', { tags: ['long'] }, async () => {
    const loud = Float32Array.from({ length: RATE }, (_, at) => 0.99 * Math.sign(Math.sin(at / 30)));
    const input = wav([loud, loud]);
    const { files } = await separate(input, { ...WAV, stems: 'four' });
    await expectWhole(
      input,
      files.map(({ blob }) => blob),
    );
  });

  it('ends when the caller no longer waits', async () => {
    const stop = new AbortController();
    const runtime = createNodeRuntime({ signal: stop.signal, inference: createSeparationInference([]) });
    const progress = () => stop.abort();
    const running = audioSeparateStems.execute(music(20), {}, { ...runtime, progress });
    await expect(running).rejects.toThrow(/abort/i);
  });

  it.each([
    [0.5, 5_000n],
    [5, 25_000n],
    [5.06, 30_000n],
  ])('bills %d s as started seconds, for two stems and for four', async (seconds, price) => {
    const input = wav([new Float32Array(Math.round(seconds * RATE))]);
    for (const stems of ['two', 'four']) {
      expect((await audioSeparateStems.quote(input, { stems })).price).toBe(price);
    }
  });

  it.each([
    ['stems', 3],
    ['stems', 'six'],
    ['output_format', 'flac'],
    ['engine', 'spleeter'],
    ['model', 'x'],
  ])('refuses %s: %j', async (name, value) => {
    await expect(audioSeparateStems.quote(music(0.5), { [name]: value })).rejects.toThrow(name);
  });
});

describe('audio-separate-stems with HTDemucs', () => {
  it('splits a track into overlapping segments at its own level, the last one among its neighbours', {
    tags: ['long'],
  }, async () => {
    const length = DEMUCS_SEGMENT + 150_000;
    const sound = [0, 1].map((channel) =>
      Float32Array.from({ length }, (_, at) => 0.1 + 0.3 * Math.sin(at / (50 + 9 * channel))),
    );
    const { files, engine } = await separate(wav(sound), { ...WAV, stems: 'four' }, ['htdemucs-fp16']);
    expect(engine).toBe('htdemucs-fp16 on cpu');
    const [vocals, drums, bass] = await Promise.all(files.map(({ blob }) => decodeSamples(blob, STEREO)));
    const mono = sound[0]?.map((sample, at) => (sample + (sound[1]?.[at] as number)) / 2) as Float32Array;
    const mean = mono.reduce((sum, sample) => sum + sample, 0) / length;
    const weights = triangularWeights(DEMUCS_SEGMENT);
    const stride = 257_985;
    for (let at = 0; at < length; at += 997) {
      let [sum, total] = [0, 0];
      for (let start = 0; start < length; start += stride) {
        const count = Math.min(DEMUCS_SEGMENT, length - start);
        if (at < start || at >= start + count) continue;
        const place = at - start + Math.floor((DEMUCS_SEGMENT - count) / 2);
        const weight = weights[at - start] as number;
        sum += (weight * place) / DEMUCS_SEGMENT;
        total += weight;
      }
      const sample = sound[0]?.[at] as number;
      const share = (part: number) => part * (sample - mean) + mean;
      expect(Math.abs((vocals?.[0]?.[at] as number) - share(sum / total))).toBeLessThan(2 * STEP);
      expect(Math.abs((drums?.[0]?.[at] as number) - share(DRUMS))).toBeLessThan(2 * STEP);
      expect(Math.abs((bass?.[0]?.[at] as number) - share(BASS))).toBeLessThan(2 * STEP);
    }
  });
});
