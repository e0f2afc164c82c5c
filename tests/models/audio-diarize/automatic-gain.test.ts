import { expect, it } from 'vitest';
import { AutomaticGain } from '../../../models/audio-diarize/automatic-gain.ts';

const FRAME_SECONDS = 0.032;

/** Amplifies a second of frames of one value each, and returns the last frame's value. */
function amplified(values: readonly number[]): number[] {
  const gain = new AutomaticGain(FRAME_SECONDS);
  return values.map((value) => {
    const frame = new Float32Array(512).fill(value);
    gain.apply(frame);
    return frame[0] as number;
  });
}

it('AutomaticGain: raises quiet sound to -20 dB, by 29.5 dB at most, and leaves loud sound alone', () => {
  expect(amplified([0.01])[0]).toBeCloseTo(0.1, 5);
  expect(amplified([0.001])[0]).toBeCloseTo(0.03, 5);
  expect(amplified([0.5, -0.9])).toEqual([0.5, Math.fround(-0.9)]);
  expect(amplified([0])).toEqual([0]);
});

it('AutomaticGain: keeps a quiet voice quiet beside a loud one, until the loud one has been silent for seconds', () => {
  const silent = Math.round(20 / FRAME_SECONDS);
  const values = amplified([0.1, ...Array<number>(silent).fill(0.01)]);
  expect(values[1]).toBeCloseTo(0.01, 3);
  expect(values.at(-1)).toBeCloseTo(0.1, 3);
});

it('AutomaticGain: never exceeds full scale', () => {
  const frame = Float32Array.from({ length: 512 }, (_, at) => (at === 0 ? 1 : 0.001));
  new AutomaticGain(FRAME_SECONDS).apply(frame);
  expect(Math.max(...frame)).toBe(1);
});
