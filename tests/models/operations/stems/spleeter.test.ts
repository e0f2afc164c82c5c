import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureEngine } from '../../../../models/acceptance/measure-engine.ts';
import { withSessions } from '../../../../models/core/inference/sessions.ts';
import { joinSamples } from '../../../../models/core/runtime/audio-codec.ts';
import { audioSeparateStems } from '../../../../models/operations/stems/operation.ts';
import { SPLEETER_CARDS, SpleeterMasker } from '../../../../models/operations/stems/spleeter-masker.ts';
import { type StereoFrame, StereoStft } from '../../../../models/operations/stems/stft.ts';
import { createNodeRuntime } from '../../../../server/runtime/node-runtime.ts';
import { createSpleeterInference, type SpleeterOutput } from '../../../support/models/spleeter.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const ENGINE = 'spleeter-4stems-fp16';
const RATE = 44_100;
const SHAPE = { window: 4096, hop: 1024 };
const [FRAMES, OVERLAP, SEEN, BINS] = [512, 64, 1024, 2049];
const { signal } = new AbortController();

/** Magnitudes of 512 frames, as a network sees them: 2 x 512 x 1024. */
function getMagnitudes(frames: readonly StereoFrame[], first: number): Float32Array {
  const magnitudes = new Float32Array(2 * FRAMES * SEEN);
  for (let at = 0; at < FRAMES; at++) {
    const frame = frames[first + at];
    if (!frame) continue;
    for (let bin = 0; bin < SEEN; bin++) {
      for (const channel of [0, 1]) {
        const [re, im] = [
          frame[2 * channel * BINS + bin] as number,
          frame[(2 * channel + 1) * BINS + bin] as number,
        ];
        magnitudes[(channel * FRAMES + at) * SEEN + bin] = Math.hypot(re, im);
      }
    }
  }
  return magnitudes;
}

function spectrum(sound: readonly Float32Array<ArrayBuffer>[]): StereoFrame[] {
  const stft = new StereoStft(SHAPE);
  return [...stft.push(sound), ...stft.finish()];
}

async function getMasks(response: SpleeterOutput, sound: Float32Array<ArrayBuffer>[]) {
  return await withSessions(createSpleeterInference(response), SPLEETER_CARDS, { signal }, (sessions) =>
    new SpleeterMasker(sessions, signal).masks(spectrum(sound).slice(0, FRAMES)),
  );
}

const HERTZ = (93 * RATE) / 4096;
const tone = (amplitude: number) =>
  Float32Array.from({ length: RATE }, (_, at) => amplitude * Math.sin((2 * Math.PI * HERTZ * at) / RATE));

describe('the masks of Spleeter', () => {
  it('come from magnitudes of both channels, by frame and bin, unscaled', async () => {
    const seen: Float32Array[] = [];
    const response: SpleeterOutput = (_stem, magnitudes) => {
      seen.push(magnitudes);
      return magnitudes;
    };
    await getMasks(response, [tone(0.5), tone(0.25)]);
    expect(seen).toHaveLength(4);
    const at = (channel: number, frame: number, bin: number) =>
      seen[0]?.[(channel * FRAMES + frame) * SEEN + bin];
    // Half of the sum of a Hann window of 4096, times the amplitude.
    expect(at(0, 20, 93)).toBeCloseTo(512, 0);
    expect(at(1, 20, 93)).toBeCloseTo(256, 0);
    expect(at(0, 20, 200)).toBeLessThan(1);
    expect(at(0, 100, 93)).toBe(0);
  });

  it('are shares of the powers of all four stems', async () => {
    const response: SpleeterOutput = (stem, magnitudes) =>
      magnitudes.map((each) => each * (stem === 0 ? 3 : 1));
    const masks = await getMasks(response, [tone(0.5), tone(0.25)]);
    expect(masks).toHaveLength(4);
    expect(masks[0]?.[20 * BINS + 93]).toBeCloseTo(9 / 12, 5);
    expect(masks[1]?.[20 * BINS + 93]).toBeCloseTo(1 / 12, 5);
    // Above 11 kHz the mean of the frame: each bin that holds anything has the same share.
    const own = masks[0]?.subarray(20 * BINS, 20 * BINS + SEEN) ?? [];
    const mean = [...own].reduce((sum, share) => sum + share, 0) / SEEN;
    expect(masks[0]?.[20 * BINS + 2000]).toBeCloseTo(mean, 5);
    for (let at = 0; at < FRAMES * BINS; at += 977) {
      expect(masks.reduce((sum, mask) => sum + (mask[at] as number), 0)).toBeCloseTo(1, 5);
    }
  });

  it('need no network for silence', async () => {
    const response: SpleeterOutput = () => {
      throw new Error('no test asks');
    };
    const silence = new Float32Array(RATE);
    expect((await getMasks(response, [silence, silence]))[2]?.[0]).toBeCloseTo(0.25, 6);
  });
});

/** Changes what the network of a stem responds. @param own what the network of any stem should response */
type Fault = (stem: number, own: (stem: number) => Float32Array) => Float32Array;

describe('the acceptance test of Spleeter', { tags: ['long'] }, () => {
  const names = ['vocals', 'drums', 'bass', 'other'];
  const exchange =
    (one: number, other: number): Fault =>
    (stem, own) =>
      own(stem === one ? other : stem === other ? one : stem);
  const sample = (name: string) => openAsBlob(join(ROOT, 'public/acceptance', name));
  const truths: StereoFrame[][] = [];
  beforeAll(async () => {
    const { audio } = createNodeRuntime({ signal });
    for (const name of names) {
      const file = name === 'bass' ? null : await sample(`song-${name}.mp3`);
      const parts: Float32Array[][] = [[], []];
      const decoded = file && (await audio.decode(file, { sampleRate: RATE, channelCount: 2, signal }));
      for await (const chunk of decoded?.chunks() ?? []) {
        for (const [at, samples] of chunk.entries()) parts[at]?.push(samples.slice());
      }
      truths.push(spectrum(parts.map(joinSamples)));
    }
  });

  /** Measures an engine whose networks know the stems, with a fault. */
  async function measure(fault: Fault) {
    const inference = createSpleeterInference((stem, _magnitudes, call) =>
      fault(stem, (other) => getMagnitudes(truths[other] ?? [], call * (FRAMES - OVERLAP))),
    );
    return await measureEngine(audioSeparateStems, ENGINE, {
      runtime: createNodeRuntime({ signal, inference }),
      sample,
    });
  }

  it('passes where each network knows its stem', async () => {
    const found = await measure((stem, own) => own(stem));
    expect(found).toMatchObject({ measure: 'SI-SDR', passed: true });
    expect(found.figure).toBeGreaterThan(5);
  });

  it('passes where an instrument is divided between bass and the rest, the larger part in the bass', async () => {
    const found = await measure((stem, own) => (stem === 2 ? own(3).map((each) => 1.1 * each) : own(stem)));
    expect(found).toMatchObject({ passed: true });
  });

  it.each([
    ['bass and other exchanged', exchange(2, 3)],
    [
      'a wrong scale of one stem',
      (stem: number, own: (stem: number) => Float32Array) =>
        own(stem).map((each) => each * (stem === 3 ? 1000 : 1)),
    ],
  ] satisfies [string, Fault][])('fails with %s', async (_what, fault) => {
    expect(await measure(fault)).toMatchObject({ passed: false });
  });

  it.each([
    ['shifted stems', (stem: number, own: (stem: number) => Float32Array) => own((stem + 1) % 4)],
    ['an output that is always empty', () => new Float32Array(2 * FRAMES * SEEN)],
    ['vocals and drums exchanged', exchange(0, 1)],
    ['vocals and bass exchanged', exchange(0, 2)],
    ['vocals and other exchanged', exchange(0, 3)],
    ['drums and bass exchanged', exchange(1, 2)],
    ['drums and other exchanged', exchange(1, 3)],
    ['an output that is always full', () => new Float32Array(2 * FRAMES * SEEN).fill(1)],
    ['frames in reverse', (stem: number, own: (stem: number) => Float32Array) => own(stem).reverse()],
  ] satisfies [string, Fault][])('fails with %s', { tags: ['long'] }, async (_what, fault) => {
    expect(await measure(fault)).toMatchObject({ passed: false });
  });

  it('fails with transposed axes', async () => {
    const inference = createSpleeterInference((_stem, magnitudes) => magnitudes, [2, 1, SEEN, FRAMES]);
    const runtime = createNodeRuntime({ signal, inference });
    const found = await measureEngine(audioSeparateStems, ENGINE, { runtime, sample });
    expect(found).toMatchObject({
      passed: false,
      fault: expect.stringContaining('does not separate a stem'),
    });
  });
});
