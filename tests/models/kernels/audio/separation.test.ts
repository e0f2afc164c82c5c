import { describe, expect, it } from 'vitest';
import { medianAlongColumns, medianAlongRows } from '../../../../models/operations/stems/classical-masker.ts';
import { OverlapAdd, triangularWeights } from '../../../../models/operations/stems/demucs-stems.ts';
import { wienerFilter } from '../../../../models/operations/stems/wiener.ts';

describe('triangularWeights', () => {
  it('rise to 1 and fall again', () => {
    expect([...triangularWeights(4)]).toEqual([0.5, 1, 1, 0.5]);
    expect([...triangularWeights(5)].map((weight) => Math.round(weight * 3))).toEqual([1, 2, 3, 2, 1]);
  });
});

describe('OverlapAdd', () => {
  it('returns a signal whose overlapping pieces it was given', () => {
    const signal = Float32Array.from({ length: 14 }, (_, at) => Math.sin(at));
    const sums = new OverlapAdd(1, triangularWeights(8));
    const found = [
      ...(sums.add([signal.subarray(0, 8)], 6)[0] ?? []),
      ...(sums.add([signal.subarray(6, 14)], 8)[0] ?? []),
    ];
    expect(found).toHaveLength(14);
    found.forEach((sample, at) => {
      expect(sample).toBeCloseTo(signal[at] as number, 6);
    });
  });

  it('weighs pieces that differ by their distance from the middle', () => {
    const sums = new OverlapAdd(1, triangularWeights(4));
    sums.add([Float32Array.of(0, 0, 0, 0)], 2);
    const [found] = sums.add([Float32Array.of(3, 3, 3, 3)], 4);
    expect([...(found as Float32Array)]).toEqual([1, 2, 3, 3]);
  });
});

describe('median filters', () => {
  const grid = { rows: 3, columns: 4, values: Float32Array.of(1, 9, 2, 3, 4, 5, 60, 7, 8, 1, 0, 2) };
  it('take the middle of three along rows', () => {
    expect([...medianAlongRows(grid, 1)]).toEqual([1, 2, 3, 3, 4, 5, 7, 7, 8, 1, 1, 2]);
  });

  it('take the middle of three along columns', () => {
    expect([...medianAlongColumns(grid, 1)]).toEqual([1, 9, 2, 3, 4, 5, 2, 3, 8, 1, 0, 2]);
  });

  it('equal sorting, whatever the numbers', () => {
    const values = Float32Array.from({ length: 60 }, (_, at) => Math.round(Math.sin(at * at) * 4));
    const found = medianAlongRows({ rows: 1, columns: 60, values }, 3);
    found.forEach((median, at) => {
      const near = Array.from(
        { length: 7 },
        (_, by) => values[Math.min(59, Math.max(0, at + by - 3))] as number,
      );
      expect(median).toBe(near.sort((one, other) => one - other)[3]);
    });
  });
});

describe('wienerFilter', () => {
  /**
   * Makes frames of one bin: the first source on the left, the second one equally on both sides, in turns or together.
   */
  const left = [3, 0, 2, 0, 1, 0];
  const both = [0, 4, 0, 1, 2, 0];
  const frames = left.map((one, at) => {
    const other = both[at] as number;
    return Float32Array.of(one + other, 0, other, 0);
  });

  it('returns the masked mixture where all sources come from one direction', () => {
    const mono = [1, 2, 3].map((sample) => Float32Array.of(sample, -sample, sample, -sample));
    const masks = [Float32Array.of(0.25, 1, 0), Float32Array.of(0.75, 0, 1)];
    const [first] = wienerFilter(mono, masks, 1);
    [0.25, 2, 0].forEach((sample, at) => {
      expect(first?.[at]?.[0]).toBeCloseTo(sample, 4);
      expect(first?.[at]?.[3]).toBeCloseTo(-sample, 4);
    });
  });

  it('tells sources of different directions apart where they sound together', () => {
    const masks = [Float32Array.of(1, 0, 1, 0, 0.5, 0.5), Float32Array.of(0, 1, 0, 1, 0.5, 0.5)];
    const [first, second] = wienerFilter(frames, masks, 2);
    // By the mask alone both would be half of (3, 2).
    expect((first?.[4]?.[0] as number) - 1).toBeLessThan(0.35);
    expect(first?.[4]?.[2]).toBeLessThan(0.6);
    expect((first?.[4]?.[0] as number) + (second?.[4]?.[0] as number)).toBeCloseTo(3, 3);
    expect((first?.[4]?.[2] as number) + (second?.[4]?.[2] as number)).toBeCloseTo(2, 3);
  });

  it('makes silence of silence', () => {
    const half = Float32Array.of(0.5);
    const [[silence] = []] = wienerFilter([new Float32Array(4)], [half, half], 1);
    expect(silence?.every((sample) => sample === 0)).toBe(true);
  });
});
