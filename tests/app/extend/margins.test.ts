import { describe, expect, it } from 'vitest';
import { getRatio, MARGIN_MAX, marginsFor, RATIOS } from '../../../app/studio/extend/margins.ts';

describe('the margins of a ratio', () => {
  const photo = { width: 1200, height: 800 };

  it('give the image that ratio, the same on both sides', () => {
    const { margins, isReached } = marginsFor(photo, RATIOS['1:1']);
    expect({ margins, isReached }).toEqual({
      margins: { left: 0, right: 0, top: 200, bottom: 200 },
      isReached: true,
    });
    expect(getRatio(photo, margins)).toBe('1:1');
  });

  it('are bounded, and say that the ratio is not reached', () => {
    const { margins, isReached } = marginsFor({ width: 4000, height: 1000 }, RATIOS['1:1']);
    expect({ margins, isReached }).toEqual({
      margins: { left: 0, right: 0, top: MARGIN_MAX, bottom: MARGIN_MAX },
      isReached: false,
    });
  });

  it('that several ratios share belong to the one that was pressed', () => {
    const strip = { width: 4000, height: 1000 };
    const { margins } = marginsFor(strip, RATIOS['9:16']);
    expect(getRatio(strip, margins)).toBe('1:1');
    expect(getRatio(strip, margins, '9:16')).toBe('9:16');
  });

  it('belong to no ratio once an edge is dragged, whatever was pressed', () => {
    const { margins } = marginsFor(photo, RATIOS['1:1']);
    expect(getRatio(photo, { ...margins, left: 7 }, '1:1')).toBeUndefined();
  });
});
