import { describe, expect, test } from 'vitest';
import { fillGaps, findOverlap } from '../../../../models/kernels/audio/fill-gaps.ts';
import { damagedSilence } from '../../../../models/kernels/audio/silence.ts';

const RATE = 100;
const samples = Float32Array.from({ length: 30 }, (_, at) => at + 1);

describe('gaps between decoded stretches', () => {
  test('become silence of their length', () => {
    const stretches = [
      { seconds: 5, frames: 10 },
      { seconds: 5.1, frames: 10 },
      { seconds: 5.25, frames: 10 },
    ];
    const { channels, gaps } = fillGaps([samples], stretches, RATE, 1000);
    expect(gaps).toEqual([{ from: 20, to: 25 }]);
    expect([...(channels[0] ?? [])]).toEqual([
      ...samples.subarray(0, 20),
      ...[0, 0, 0, 0, 0],
      ...samples.subarray(20),
    ]);
  });

  test('of less than the rounding of times are none', () => {
    const stretches = [
      { seconds: 0, frames: 10 },
      { seconds: 0.11, frames: 20 },
    ];
    expect(fillGaps([samples], stretches, RATE, 1000)).toEqual({ channels: [samples], gaps: [] });
  });

  test('are bounded', () => {
    const stretches = [
      { seconds: 0, frames: 10 },
      { seconds: 1e9, frames: 20 },
    ];
    const { channels } = fillGaps([samples], stretches, RATE, 50);
    expect(channels[0]).toHaveLength(50);
    expect(channels[0]?.at(-1)).toBe(30);
  });
});

test('the silence of hours of damage takes the memory of one piece', () => {
  const like = { timestampSeconds: 0, sampleRate: 48_000, channels: [samples, samples] };
  const pieces = [...damagedSilence(like, 1, 14_401)];
  const buffers = new Set(pieces.flatMap(({ channels }) => channels.map(({ buffer }) => buffer)));
  expect(buffers.size).toBe(1);
  expect([...buffers][0]?.byteLength).toBeLessThan(1_000_000);
  const frames = pieces.reduce((sum, { channels }) => sum + (channels[0]?.length ?? 0), 0);
  expect(frames).toBe(14_400 * 48_000);
  expect(pieces[1]?.timestampSeconds).toBeCloseTo(1 + 65_536 / 48_000, 9);
});

const noise = Float32Array.from({ length: 5000 }, (_, at) => Math.sin(at * at * 0.01));
const tail = noise.subarray(2000, 2400);

test.each([1800, 1999, 2000, 2001, 2150])('finds the overlap when %i is expected', (expected) => {
  expect(findOverlap(tail, noise, expected, 200)).toBe(2000);
});

test('a slight decoder error does not move the overlap', () => {
  const inexact = noise.map((sample, at) => sample + 0.01 * Math.cos(at));
  expect(findOverlap(tail, inexact, 1900, 200)).toBe(2000);
});

test('silence keeps the expected index', () => {
  expect(findOverlap(new Float32Array(400), new Float32Array(5000), 1234, 200)).toBe(1234);
});

test('the overlap is inside the later part', () => {
  expect(findOverlap(new Float32Array(400), new Float32Array(1000), 900, 100)).toBe(600);
});
