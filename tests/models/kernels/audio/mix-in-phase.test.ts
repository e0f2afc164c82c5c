import { expect, it } from 'vitest';
import { InPhaseMix } from '../../../../models/operations/diarize/separate-sides.ts';

const RATE = 16_000;
const wave = (hertz: number, seconds = 3) =>
  Float32Array.from({ length: seconds * RATE }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / RATE));
const negated = (samples: Float32Array<ArrayBuffer>) => samples.map((sample) => -sample);
const largestDifference = (one: Float32Array, two: Float32Array) =>
  one.reduce((largest, sample, at) => Math.max(largest, Math.abs(sample - (two[at] ?? 0))), 0);

it('InPhaseMix: is the mean of channels that differ, agree or are silent', () => {
  const [left, right] = [wave(300), wave(500)];
  const mean = left.map((sample, at) => (sample + (right[at] as number)) / 2);
  expect(largestDifference(new InPhaseMix(RATE).push([left, right]), mean)).toBeLessThan(1e-6);
  expect(largestDifference(new InPhaseMix(RATE).push([left, left.slice()]), left)).toBeLessThan(1e-6);
  const half = left.map((sample) => sample / 2);
  expect(largestDifference(new InPhaseMix(RATE).push([left, new Float32Array(left.length)]), half)).toBe(0);
});

it('InPhaseMix: keeps what one channel has inverted, from the first sample on', () => {
  const left = wave(300);
  expect(largestDifference(new InPhaseMix(RATE).push([left, negated(left)]), left)).toBeLessThan(1e-6);
});

it('InPhaseMix: follows a phase that changes, without a jump', () => {
  const left = wave(100, 6);
  const right = left.map((sample, at) => (at < 3 * RATE ? sample : -sample));
  const mixed = new InPhaseMix(RATE).push([left, right]);
  expect(largestDifference(mixed.subarray(5 * RATE), left.subarray(5 * RATE))).toBeLessThan(1e-6);
  const jumps = mixed.map((sample, at) => Math.abs(sample - (mixed[at - 1] ?? 0)));
  expect(Math.max(...jumps)).toBeLessThan(0.05);
});

it('InPhaseMix: leaves one channel as it is', () => {
  const only = wave(300, 1);
  expect(new InPhaseMix(RATE).push([only])).toBe(only);
});
