import { describe, expect, it } from 'vitest';
import { boundaryF, matteFigures, structureMeasure } from '../../lab/bench/quality/matte-metrics.ts';
import type { FloatImage } from '../../models/core/runtime/raster.ts';

const WIDTH = 60;
const HEIGHT = 40;

const image = (at: (x: number, y: number) => number): FloatImage => ({
  width: WIDTH,
  height: HEIGHT,
  channels: 1,
  data: Float32Array.from({ length: WIDTH * HEIGHT }, (_, place) =>
    at(place % WIDTH, Math.floor(place / WIDTH)),
  ),
});
const box = (left: number, top: number, right: number, bottom: number) =>
  image((x, y) => (x >= left && x < right && y >= top && y < bottom ? 1 : 0));

const truth = box(15, 8, 40, 30);
const nothing = image(() => 0);

describe('matte metrics', () => {
  it('are perfect for the ground truth itself', () => {
    const figures = matteFigures(truth, truth);
    expect(figures).toMatchObject({ iou: 1, boundary: 1, mae: 0, mse: 0, sad: 0 });
    expect(figures.structure).toBeCloseTo(1, 6);
  });

  it('measure the overlap', () => {
    // Five columns to the right: 20 of 30 columns are in both.
    expect(matteFigures(box(20, 8, 45, 30), truth).iou).toBeCloseTo(20 / 30, 10);
    expect(matteFigures(nothing, truth).iou).toBe(0);
    expect(matteFigures(nothing, nothing).iou).toBe(1);
  });

  it('measure the error of alpha', () => {
    const half = image(() => 0.5);
    expect(matteFigures(half, truth)).toMatchObject({ iou: 0, mae: 0.5, mse: 0.25, sad: 1.2 });
  });

  it('equal those of the training code', () => {
    const disc = image((x, y) =>
      Math.min(1, Math.max(0, (200 - ((x - 30) ** 2 + (y - 20) ** 2)) / 200 + 0.3)),
    );
    const figures = matteFigures(disc, truth);
    // Values of lab/training/matte/metrics.py for the same two mattes.
    expect(figures.iou).toBeCloseTo(0.68871, 5);
    expect(figures.structure).toBeCloseTo(0.83993, 3);
    expect(figures.mae).toBeCloseTo(0.10022, 5);
    expect(figures.mse).toBeCloseTo(0.05665, 5);
    expect(figures.sad).toBeCloseTo(0.24052, 5);
  });
});

describe('boundary F', () => {
  it('tolerates an outline within its radius, and none beyond', () => {
    // The radius is one pixel: 0.8 % of a diagonal of 72.
    expect(boundaryF(box(16, 8, 41, 30), truth)).toBe(1);
    expect(boundaryF(box(18, 11, 37, 27), truth)).toBe(0);
  });

  it('is 0 where only one has an outline', () => {
    expect([boundaryF(nothing, truth), boundaryF(nothing, nothing)]).toEqual([0, 1]);
  });
});

describe('the structure measure', () => {
  it('of an empty ground truth is the emptiness of the matte', () => {
    expect(
      structureMeasure(
        image(() => 0.25),
        nothing,
      ),
    ).toBeCloseTo(0.75, 6);
  });

  it('falls as the matte moves away from the ground truth', () => {
    const [near, far] = [box(17, 8, 42, 30), box(30, 8, 55, 30)].map((matte) =>
      structureMeasure(matte, truth),
    );
    expect(near).toBeGreaterThan(0.85);
    expect(far).toBeLessThan(0.6);
  });
});
