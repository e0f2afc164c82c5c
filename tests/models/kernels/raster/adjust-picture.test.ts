import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstFrame, getPicture } from '../../../../models/kernels/raster/picture.ts';
import {
  adjustPicture,
  PIXELS_MAX,
  planResize,
  type Resizing,
  SIDE_MAX,
} from '../../../../models/kernels/resize/resize-plan.ts';

const PHOTO = { width: 4032, height: 3024 };

describe('planResize', () => {
  test.each<[string, Resizing, [number, number]]>([
    ['half in percent', { by: 'percent', percent: 50 }, [2016, 1512]],
    ['a width alone', { by: 'pixels', width: 800, fit: 'inside' }, [800, 600]],
    ['a height alone', { by: 'pixels', height: 600, fit: 'cover' }, [800, 600]],
    ['a box, inside', { by: 'pixels', width: 1000, height: 500, fit: 'inside' }, [667, 500]],
    ['a box, stretched', { by: 'pixels', width: 1000, height: 500, fit: 'stretch' }, [1000, 500]],
    ['a box, covered', { by: 'pixels', width: 500, height: 500, fit: 'cover' }, [500, 500]],
  ])('gives the size for %s', (_name, resizing, [width, height]) => {
    expect(planResize(PHOTO, resizing).kept).toEqual({ width, height });
  });

  test('a cover keeps the shape and cuts off the rest', () => {
    const { scaled } = planResize(PHOTO, { by: 'pixels', width: 500, height: 500, fit: 'cover' });
    expect(scaled).toEqual({ width: 667, height: 500 });
  });

  test('never exceeds the limits, nor falls below a pixel, and keeps no more than there is', () => {
    const side = fc.integer({ min: 1, max: 70_000 });
    const resizing = fc.oneof(
      fc.record({
        by: fc.constant('percent' as const),
        percent: fc.double({ min: 0.01, max: 10_000, noNaN: true }),
      }),
      fc.record({
        by: fc.constant('pixels' as const),
        width: side,
        height: side,
        fit: fc.constantFrom('inside' as const, 'cover' as const, 'stretch' as const),
      }),
    );
    fc.assert(
      fc.property(side, side, resizing, (width, height, wanted) => {
        const { scaled, kept } = planResize({ width, height }, wanted);
        for (const size of [scaled, kept]) {
          expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1);
          expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(SIDE_MAX);
          expect(size.width * size.height).toBeLessThanOrEqual(PIXELS_MAX * 1.001);
        }
        expect(kept.width).toBeLessThanOrEqual(scaled.width);
        expect(kept.height).toBeLessThanOrEqual(scaled.height);
      }),
    );
  });
});

describe('adjustPicture', () => {
  const numbered = getPicture(
    { width: 3, height: 2, data: Uint8Array.from({ length: 24 }, (_, at) => (at % 4 === 3 ? 255 : at >> 2)) },
    { hasAlpha: false, metadata: {} },
  );
  const getNumbers = async (picture: typeof numbered): Promise<number[]> => {
    const { data } = await firstFrame(picture);
    return [...data].filter((_, at) => at % 4 === 0);
  };

  test('turns clockwise, then mirrors', async () => {
    const turned = adjustPicture(numbered, { orientation: { quarterTurns: 1, isMirrored: false } });
    expect([turned.width, turned.height]).toEqual([2, 3]);
    expect(await getNumbers(turned)).toEqual([3, 0, 4, 1, 5, 2]);
    const mirrored = adjustPicture(numbered, { orientation: { quarterTurns: 1, isMirrored: true } });
    expect(await getNumbers(mirrored)).toEqual([0, 3, 1, 4, 2, 5]);
  });

  test('cuts a cover around the centre, and keeps frames, loops and metadata', async () => {
    const frame = await firstFrame(numbered);
    const animation = {
      ...numbered,
      frameCount: 2,
      loopCount: 5,
      metadata: { exif: new Uint8Array([1]) },
      async *frames() {
        yield { ...frame, durationMs: 40 };
        yield { ...frame, durationMs: 90 };
      },
    };
    const cut = adjustPicture(animation, { resizing: { by: 'pixels', width: 1, height: 2, fit: 'cover' } });
    expect(cut).toMatchObject({
      width: 1,
      height: 2,
      frameCount: 2,
      loopCount: 5,
      metadata: animation.metadata,
    });
    const durations: number[] = [];
    for await (const { durationMs, data } of cut.frames()) {
      durations.push(durationMs);
      expect([data[0], data[4]]).toEqual([1, 4]);
    }
    expect(durations).toEqual([40, 90]);
  });
});
