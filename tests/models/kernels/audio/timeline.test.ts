import { describe, expect, test } from 'vitest';
import { Timeline } from '../../../../models/kernels/audio/shape-pcm.ts';

const RATE = 1000;

/** Places pieces of a constant value, each `[time in seconds, frames, value]`. */
function place(pieces: readonly (readonly [number, number, number])[], endSeconds = 1000): number[] {
  const timeline = new Timeline({ sampleRate: RATE, channelCount: 1, endSeconds });
  const blocks = pieces.flatMap(([timestampSeconds, frames, value]) => [
    ...timeline.add({
      timestampSeconds,
      sampleRate: RATE,
      channels: [new Float32Array(frames).fill(value)],
    }),
  ]);
  const samples = [...blocks, timeline.finish()].flatMap((block) => [...(block?.[0] ?? [])]);
  expect(timeline.frameCount).toBe(samples.length);
  return samples;
}

/** Lengths of runs of equal values: `[value, frames]`. */
function runs(samples: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const sample of samples) {
    const last = found.at(-1);
    if (last?.[0] === sample) last[1] += 1;
    else found.push([sample, 1]);
  }
  return found;
}

describe('timeline', () => {
  test('a gap becomes silence', () => {
    expect(
      runs(
        place([
          [0, 100, 1],
          [0.25, 100, 2],
        ]),
      ),
    ).toEqual([
      [1, 100],
      [0, 150],
      [2, 100],
    ]);
  });

  test('a late start becomes silence', () => {
    expect(runs(place([[0.05, 100, 1]]))).toEqual([
      [0, 50],
      [1, 100],
    ]);
  });

  test('samples before 0 are dropped', () => {
    expect(
      runs(
        place([
          [-0.03, 100, 1],
          [0.07, 50, 2],
        ]),
      ),
    ).toEqual([
      [1, 70],
      [2, 50],
    ]);
  });

  test('an overlap is dropped', () => {
    expect(
      runs(
        place([
          [0, 100, 1],
          [0.05, 100, 2],
        ]),
      ),
    ).toEqual([
      [1, 100],
      [2, 50],
    ]);
  });

  test('rounded times cause neither a gap nor an overlap', () => {
    expect(
      runs(
        place([
          [0, 100, 1],
          [0.115, 100, 2],
          [0.195, 100, 3],
        ]),
      ),
    ).toEqual([
      [1, 100],
      [2, 100],
      [3, 100],
    ]);
  });

  test('samples after the end are dropped', () => {
    expect(
      runs(
        place(
          [
            [0, 100, 1],
            [0.1, 100, 2],
            [0.2, 100, 3],
          ],
          0.15,
        ),
      ),
    ).toEqual([
      [1, 100],
      [2, 50],
    ]);
  });

  test('a gap longer than a block becomes silence', () => {
    expect(
      runs(
        place([
          [0, 10, 1],
          [200, 10, 2],
        ]),
      ),
    ).toEqual([
      [1, 10],
      [0, 199_990],
      [2, 10],
    ]);
  });
});
