import { describe, expect, test } from 'vitest';
import {
  middleRegion,
  moveRegion,
  regionAround,
  regionBetween,
  resizeRegion,
  SIDE_MIN,
} from '../../../app/studio/stage/region-geometry.ts';

const IMAGE = { width: 100, height: 60 };

describe('a region of an image', () => {
  test('lies between two corners, whichever comes first, in whole pixels and within the image', () => {
    const region = { left: 10, top: 20, width: 31, height: 30 };
    expect(regionBetween({ x: 10.2, y: 19.7 }, { x: 40.6, y: 50.4 }, IMAGE)).toEqual(region);
    expect(regionBetween({ x: 40.6, y: 50.4 }, { x: 10.2, y: 19.7 }, IMAGE)).toEqual(region);
    expect(regionBetween({ x: -5, y: 50 }, { x: 130, y: 90 }, IMAGE)).toEqual({
      left: 0,
      top: 50,
      width: 100,
      height: 10,
    });
  });

  test('is never too small to take hold of, but no larger than the image', () => {
    expect(regionBetween({ x: 99, y: 59 }, { x: 99, y: 59 }, IMAGE)).toEqual({
      left: 100 - SIDE_MIN,
      top: 60 - SIDE_MIN,
      width: SIDE_MIN,
      height: SIDE_MIN,
    });
    const tiny = { width: 3, height: 1 };
    expect(regionBetween({ x: 1, y: 0 }, { x: 1, y: 0 }, tiny)).toEqual({ left: 0, top: 0, ...tiny });
  });

  test('moves and grows as far as the image allows', () => {
    const region = { left: 70, top: 10, width: 20, height: 20 };
    expect(moveRegion(region, { x: 30, y: -30 }, IMAGE)).toEqual({ ...region, left: 80, top: 0 });
    expect(resizeRegion(region, { x: 30, y: -30 }, IMAGE)).toEqual({
      ...region,
      width: 30,
      height: SIDE_MIN,
    });
  });

  test('starts as the middle, and follows the loupe into the corners', () => {
    expect(middleRegion(IMAGE)).toEqual({ left: 25, top: 15, width: 50, height: 30 });
    const side = { width: 20, height: 20 };
    expect(regionAround({ x: 50, y: 30 }, side, IMAGE)).toEqual({ left: 40, top: 20, ...side });
    expect(regionAround({ x: 100, y: 0 }, side, IMAGE)).toEqual({ left: 80, top: 0, ...side });
    const large = { width: 500, height: 500 };
    expect(regionAround({ x: 50, y: 30 }, large, IMAGE)).toEqual({ left: 0, top: 0, ...IMAGE });
  });
});
