import { expect, it } from 'vitest';
import { AutomaticGain, GAIN_LOOKAHEAD } from '../../../../models/operations/diarize/voice-activity.ts';

const FRAME_SECONDS = 0.032;
const SECOND = Math.round(1 / FRAME_SECONDS);

/** Amplifies frames of one value each, and returns their values. */
function amplified(values: readonly number[]): number[] {
  const gain = new AutomaticGain(FRAME_SECONDS);
  const frames = values.map((value) => new Float32Array(512).fill(value));
  const results: number[] = [];
  for (let at = 0; at < frames.length + GAIN_LOOKAHEAD; at++) {
    const [heard, judged] = [frames[at], frames[at - GAIN_LOOKAHEAD]];
    if (heard) gain.hear(heard);
    if (!judged) continue;
    gain.apply(judged);
    results.push(judged[0] as number);
  }
  return results;
}

const lasting = (value: number, frames: number) => Array<number>(frames).fill(value);

it('AutomaticGain: raises quiet sound to -20 dB, by 29.5 dB at most, and leaves loud sound alone', () => {
  for (const [value, result] of [
    [0.01, 0.1],
    [0.001, 0.03],
    [0.5, 0.5],
    [-0.9, -0.9],
    [0, 0],
  ] as const) {
    for (const found of amplified(lasting(value, SECOND))) expect(found).toBeCloseTo(result, 5);
  }
});

it('AutomaticGain: is lowered by 10 dB at most by a loud click', () => {
  const quiet = lasting(0.01, SECOND);
  const values = amplified([...quiet, ...lasting(0.99, 5), ...quiet]);
  expect(values.at(SECOND - 1)).toBeCloseTo(0.1, 5);
  expect(values.at(SECOND + 5)).toBeCloseTo(0.1 / Math.sqrt(10), 3);
  expect(Math.max(...values)).toBe(1);
});

it('AutomaticGain: knows a loud voice from its first frame', () => {
  const values = amplified([...lasting(0.001, SECOND), ...lasting(0.5, SECOND)]);
  expect(values.at(SECOND)).toBeCloseTo(0.5, 5);
});

it('AutomaticGain: keeps a quiet voice quiet next to a loud one, until the loud one has been silent for seconds', () => {
  const values = amplified([...lasting(0.1, SECOND), ...lasting(0.01, 20 * SECOND)]);
  expect(values[SECOND + 20]).toBeCloseTo(0.01, 2);
  expect(values.at(-1)).toBeCloseTo(0.1, 3);
});
