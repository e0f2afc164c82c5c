import { describe, expect, test } from 'vitest';
import { mixChannels } from '../../../../models/kernels/audio/mix-channels.ts';
import { Resampler, resampledFrameCount } from '../../../../models/kernels/audio/resampler.ts';
import { countFloats } from '../../../support/media/count-floats.ts';

function tone(hz: number, sampleRate: number, length: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, (_, at) => Math.sin((2 * Math.PI * hz * at) / sampleRate));
}

function resampled(samples: Float32Array<ArrayBuffer>, from: number, to: number, sizes = [samples.length]) {
  const resampler = new Resampler(from, to);
  const parts: Float32Array[] = [];
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    parts.push(...resampler.push([samples.subarray(at, at + size)]));
    at += size;
  }
  parts.push(...resampler.finish());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** Level of the middle half, in dB below a full-scale sine. */
function level(samples: Float32Array): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  const power = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length;
  return 10 * Math.log10(2 * power);
}

/** Level of one frequency in the middle half, in dB below a full-scale sine, through a Hann window. */
function levelAt(hz: number, samples: Float32Array, sampleRate: number): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  let real = 0;
  let imaginary = 0;
  middle.forEach((sample, at) => {
    const weighted = sample * (1 - Math.cos((2 * Math.PI * at) / middle.length));
    const phase = (2 * Math.PI * hz * at) / sampleRate;
    real += weighted * Math.cos(phase);
    imaginary += weighted * Math.sin(phase);
  });
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / middle.length);
}

const PAIRS = [
  [44_100, 16_000],
  [44_100, 48_000],
  [48_000, 44_100],
  [8000, 44_100],
  [192_000, 8000],
  [22_050, 16_000],
  [48_000, 48_000],
] as const;

describe.each(PAIRS)('from %i to %i Hz', (from, to) => {
  const lower = Math.min(from, to);

  test('a tone of 1 kHz keeps its level and phase', () => {
    const samples = resampled(tone(1000, from, from / 2), from, to);
    expect(Math.abs(level(samples))).toBeLessThan(0.01);
    const ideal = tone(1000, to, samples.length);
    const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
    middle.forEach((sample, at) => {
      expect(Math.abs(sample - (ideal[at + Math.floor(samples.length / 4)] as number))).toBeLessThan(1e-3);
    });
  });

  test('the pass band ends at 0.41 of the lower rate', () => {
    expect(Math.abs(level(resampled(tone(lower * 0.4, from, from / 4), from, to)))).toBeLessThan(0.1);
  });

  test('the result does not depend on the chunks, and its length is exact', () => {
    const samples = tone(700, from, 4801);
    const whole = resampled(samples, from, to);
    expect(whole).toHaveLength(resampledFrameCount(4801, from, to));
    expect(resampled(samples, from, to, [1, 1000, 37, 2048])).toEqual(whole);
  });
});

test.each(PAIRS.filter(([from, to]) => from > to))('aliases from %i to %i Hz are 80 dB down', (from, to) => {
  for (const share of [0.505, 0.6, 0.75, 0.95]) {
    const hz = share * to;
    if (hz >= from / 2) continue;
    expect(level(resampled(tone(hz, from, from / 4), from, to))).toBeLessThan(-80);
  }
});

test.each(PAIRS.filter(([from, to]) => from < to))('images from %i to %i Hz are 80 dB down', (from, to) => {
  for (const share of [0.1, 0.25, 0.4]) {
    const samples = resampled(tone(share * from, from, from / 4), from, to);
    expect(levelAt(share * from, samples, to)).toBeCloseTo(0, 0);
    expect(levelAt((1 - share) * from, samples, to)).toBeLessThan(-80);
  }
});

test('rates without a common divisor have a filter of bounded size, with aliases 80 dB down', async () => {
  const [from, to] = [191_999, 44_100];
  const floats = await countFloats(() => new Resampler(from, to));
  // A weight for each of 44,100 phases and 280 taps would be 12 million.
  expect(floats).toBeLessThan(5_000_000);
  expect(Math.abs(level(resampled(tone(0.4 * to, from, from / 4), from, to)))).toBeLessThan(0.1);
  expect(levelAt(17_000, resampled(tone(16_000, from, from / 4), from, to), to)).toBeLessThan(-80);
  expect(level(resampled(tone(0.6 * to, from, from / 4), from, to))).toBeLessThan(-80);
});

test('equal rates change no sample', () => {
  const samples = tone(1000, 48_000, 4801);
  expect(resampled(samples, 48_000, 48_000)).toEqual(samples);
});

describe('channels', () => {
  const constant = (value: number) => new Float32Array(4).fill(value);

  test('mono becomes two equal channels, stereo its mean', () => {
    expect(mixChannels([constant(0.5)], 2)).toEqual([constant(0.5), constant(0.5)]);
    expect(mixChannels([constant(0.5), constant(-0.25)], 1)).toEqual([constant(0.125)]);
  });

  test('5.1 becomes stereo by ITU-R BS.775', () => {
    const speakers = [0.1, 0.2, 0.3, 0.9, 0.4, 0.5].map(constant);
    const [left, right] = mixChannels(speakers, 2);
    expect(left?.[0]).toBeCloseTo(0.1 + (0.3 + 0.4) * Math.SQRT1_2, 6);
    expect(right?.[0]).toBeCloseTo(0.2 + (0.3 + 0.5) * Math.SQRT1_2, 6);
  });
});
