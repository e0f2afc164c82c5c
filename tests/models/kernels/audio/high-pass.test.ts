import { expect, it } from 'vitest';
import { HighPass } from '../../../../models/operations/diarize/feed-samples.ts';

const RATE = 16_000;

/** Filters a second at a cutoff of 80 Hz, and returns the root mean square of its second half. */
function levelOf(sound: (seconds: number) => number): number {
  const samples = Float32Array.from({ length: RATE }, (_, at) => sound(at / RATE));
  const highPass = new HighPass(80, RATE);
  // In parts of any length, as a stream comes.
  for (let at = 0; at < RATE; at += 777) highPass.apply(samples.subarray(at, at + 777));
  const half = samples.subarray(RATE / 2);
  return Math.sqrt(half.reduce((sum, sample) => sum + sample * sample, 0) / half.length);
}

const sine = (hertz: number) => (seconds: number) => Math.SQRT2 * Math.sin(2 * Math.PI * hertz * seconds);

it.each([
  [20, -48.2],
  [40, -24.1],
  [80, -3],
  [160, 0],
  [1000, 0],
])('HighPass: passes %d Hz at %d dB, as Butterworth of fourth order does', (hertz, decibels) => {
  expect(20 * Math.log10(levelOf(sine(hertz)))).toBeCloseTo(decibels, 0);
});

it('HighPass: takes away a constant from the first sample on', () => {
  const samples = new Float32Array(100).fill(0.5);
  new HighPass(80, RATE).apply(samples);
  expect(Math.max(...samples.map(Math.abs))).toBeLessThan(1e-6);
});
