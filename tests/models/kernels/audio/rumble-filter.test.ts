import { expect, it } from 'vitest';
import { RumbleFilter } from '../../../../models/operations/diarize/feed-samples.ts';

const RATE = 16_000;
const sine = (hertz: number, level: number) => (seconds: number) =>
  level * Math.sin(2 * Math.PI * hertz * seconds);
const secondsOf = (sound: (seconds: number) => number) =>
  Float32Array.from({ length: 3 * RATE }, (_, at) => sound(at / RATE));
const levelOf = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

it.each([
  ['a voice alone', sine(300, 0.3)],
  ['a voice with some rumble', (seconds: number) => sine(300, 0.3)(seconds) + sine(30, 0.2)(seconds)],
  ['silence', () => 0],
])('RumbleFilter: leaves %s as it is', (_name, sound) => {
  const samples = secondsOf(sound);
  new RumbleFilter(80, RATE).apply(samples);
  expect(samples).toEqual(secondsOf(sound));
});

it.each([
  ['rumble', sine(30, 0.5)],
  ['a constant', () => 0.5],
])('RumbleFilter: takes %s away from a quieter voice, from the start on', (_name, low) => {
  const samples = secondsOf((seconds) => sine(1000, 0.05)(seconds) + low(seconds));
  new RumbleFilter(80, RATE).apply(samples);
  expect(levelOf(samples.subarray(RATE / 4))).toBeCloseTo(0.05 / Math.SQRT2, 2);
});
