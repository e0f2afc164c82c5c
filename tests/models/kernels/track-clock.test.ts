import { describe, expect, it } from 'vitest';
import {
  decodedSeconds,
  decodingPasses,
  endOfClock,
  placedParts,
  placeTracks,
} from '../../../models/kernels/track-clock.ts';
import { assertBoundedDecoding } from '../../../models/media/containers/bounded-reads.ts';

const stretch = (fromSeconds: number, toSeconds: number, startSeconds: number) => ({
  fromSeconds,
  toSeconds,
  startSeconds,
});
const Infinite = Number.POSITIVE_INFINITY;

describe('the clock of tracks', () => {
  it('starts with the first track', () => {
    const clocks = placeTracks([
      { firstSeconds: 40.5, edits: null },
      { firstSeconds: 40, edits: null },
    ]);
    expect(clocks).toEqual([[stretch(40.5, Infinite, 0.5)], [stretch(40, Infinite, 0)]]);
  });

  it('leaves out priming, which is before 0', () => {
    expect(placeTracks([{ firstSeconds: -0.02, edits: null }])).toEqual([[stretch(0, Infinite, 0)]]);
  });

  it('shows what an edit list shows, and starts with the first sample that it shows', () => {
    const edits = [stretch(3, 5, 1), stretch(8, 9, 4)];
    expect(placeTracks([{ firstSeconds: 0, edits }])).toEqual([[stretch(3, 5, 0), stretch(8, 9, 3)]]);
    expect(placeTracks([{ firstSeconds: 4, edits }])).toEqual([[stretch(4, 5, 0), stretch(8, 9, 2)]]);
  });

  it('ignores an edit list that shows nothing', () => {
    expect(placeTracks([{ firstSeconds: 20, edits: [stretch(0, 4, 0)] }])).toEqual([
      [stretch(20, Infinite, 0)],
    ]);
  });

  it('ends with the last stretch, or the last packet', () => {
    const clock = [stretch(3, 5, 0), stretch(8, 9, 3)];
    expect([endOfClock(clock, 20), endOfClock(clock, 8.5), endOfClock(clock, 4)]).toEqual([4, 3.5, 1]);
  });
});

describe('a piece on a clock', () => {
  const clock = [stretch(1, 2, 0), stretch(2, 3, 1.5)];

  it('is cut at the edges of stretches', () => {
    expect([...placedParts(clock, 0.5, 1)]).toEqual([
      { startSeconds: 0, skippedSeconds: 0.5, lengthSeconds: 0.5 },
    ]);
    expect([...placedParts(clock, 1.75, 0.5)]).toEqual([
      { startSeconds: 0.75, skippedSeconds: 0, lengthSeconds: 0.25 },
      { startSeconds: 1.5, skippedSeconds: 0.25, lengthSeconds: 0.25 },
    ]);
  });

  it('is left out before and after all stretches', () => {
    expect([...placedParts(clock, 0, 1), ...placedParts(clock, 3, 1)]).toEqual([]);
  });

  it('is decoded again where the clock goes back', () => {
    const [first, second, again] = [stretch(1, 2, 0), stretch(4, 5, 1), stretch(0, 1, 2)];
    expect(decodingPasses([first, second, again])).toEqual([[first, second], [again]]);
  });
});

describe('the decoding that an edit list costs', () => {
  const repeat = (count: number, from: number, to: number) =>
    Array.from({ length: count }, (_, at) => stretch(from, to, at * (to - from)));

  it('counts each pass from the start of the track', () => {
    expect(decodedSeconds(repeat(3, 50, 60), 100)).toBe(180);
    expect(decodedSeconds([stretch(0, Infinite, 0)], 100)).toBe(100);
  });

  it('may not exceed a few times what is in the file, or what is played', () => {
    expect(() => assertBoundedDecoding(repeat(10_000, 3599.9, 3599.91), 3600)).toThrow('goes back in time');
    expect(() => assertBoundedDecoding(repeat(4, 90, 100), 100)).not.toThrow();
    expect(() => assertBoundedDecoding(repeat(50, 0, 100), 100)).not.toThrow();
    expect(() => assertBoundedDecoding([], 0)).not.toThrow();
  });
});
