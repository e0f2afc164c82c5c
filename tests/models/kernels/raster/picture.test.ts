import { describe, expect, it } from 'vitest';
import { assertAnimationFits } from '../../../../models/kernels/raster/picture.ts';

describe('an animation', () => {
  it('of more frames than libvips reads is refused, however small they are', () => {
    const size = { width: 1, height: 1 };
    expect(() => assertAnimationFits(size, 100_000)).not.toThrow();
    expect(() => assertAnimationFits(size, 100_001)).toThrow(/100001 frames of 1 x 1 pixels/);
  });

  it('is refused by its pixels, of which more can be read strip by strip than held', () => {
    const size = { width: 1000, height: 1000 };
    expect(() => assertAnimationFits(size, 75)).not.toThrow();
    expect(() => assertAnimationFits(size, 76)).toThrow(/Send fewer or smaller frames/);
    expect(() => assertAnimationFits(size, 76, 400_000_000)).not.toThrow();
  });
});
