import { describe, expect, it } from 'vitest';
import type { Raster8 } from '../../../../../models/core/runtime/raster.ts';
import {
  estimateFill,
  FILL_QUALITY_LOW,
} from '../../../../../models/operations/extend/fill/estimate-fill.ts';
import { expectedDetail } from '../../../../../models/operations/extend/fill/fill-canvas.ts';
import { seededRandom } from '../../../../../models/operations/extend/seeded-random.ts';

const SIDE = 100;

function getRaster(greyAt: (x: number, y: number) => number): Raster8 {
  const data = new Uint8Array(SIDE * SIDE * 4);
  for (let place = 0; place < SIDE * SIDE; place++) {
    const grey = greyAt(place % SIDE, Math.floor(place / SIDE));
    data.set([grey, grey, grey, 255], place * 4);
  }
  return { width: SIDE, height: SIDE, data };
}

/** Canvas with pixels added on the right, and above. */
const canvas = (right: number, above = 0) => ({
  width: SIDE + right,
  height: SIDE + above,
  kept: { left: 0, top: above, width: SIDE, height: SIDE },
});

const even = getRaster(() => 128);
const random = seededRandom(1);
const grain = getRaster(() => 110 + Math.round(36 * random()));
/** Lines that run towards the left and the right border. */
const rows = getRaster((_, y) => (Math.floor(y / 5) % 2) * 200);

describe('the expected quality of a fill', () => {
  it('is high next to an even area, and next to one of fine grain', () => {
    expect(estimateFill(even, canvas(10))).toEqual({ quality: expect.closeTo(0.9, 1), weakness: null });
    expect(estimateFill(grain, canvas(10)).quality).toBeGreaterThan(0.8);
  });

  it('is low where lines meet the border that is extended, and only there', () => {
    const cut = estimateFill(rows, canvas(10));
    expect(cut.quality).toBeLessThan(FILL_QUALITY_LOW);
    expect(cut.weakness).toBe('structure');
    expect(estimateFill(rows, canvas(0, 10)).quality).toBeGreaterThan(0.7);
  });

  it('trusts lines that run along the rows more than those that run down the columns', () => {
    const faint = (at: number) => 100 + (Math.floor(at / 5) % 2) * 30;
    const aside = estimateFill(
      getRaster((_, y) => faint(y)),
      canvas(10),
    );
    const above = estimateFill(
      getRaster((x) => faint(x)),
      canvas(0, 10),
    );
    expect(aside.quality).toBeGreaterThan(above.quality * 1.1);
  });

  it('falls where the border cuts the subject', () => {
    const data = Float32Array.from({ length: SIDE * SIDE }, (_, place) => (place % SIDE > 80 ? 1 : 0));
    const subject = { width: SIDE, height: SIDE, channels: 1, data };
    expect(estimateFill(even, canvas(10), subject)).toEqual({
      quality: expect.closeTo(0.2, 1),
      weakness: 'subject',
    });
    expect(estimateFill(even, canvas(0, 10), subject).quality).toBeGreaterThan(0.5);
  });

  it('falls with the size of the added area', () => {
    const qualities = [10, 50, 200].map((added) => estimateFill(even, canvas(added)).quality);
    expect(qualities).toEqual(qualities.toSorted((one, other) => other - one));
    expect(estimateFill(even, canvas(200))).toMatchObject({ weakness: 'margin' });
    expect(qualities[2]).toBeLessThan(FILL_QUALITY_LOW);
  });

  it('is full where nothing is added', () => {
    expect(estimateFill(rows, canvas(0))).toEqual({ quality: 1, weakness: null });
  });
});

it('measures the detail of known pixels, and expects that of the border next to them', () => {
  const [width, height] = [60, 40];
  // Smooth on the left; squares of two levels, a deviation of 20, on the right.
  const data = new Float32Array(width * height * 3);
  for (let place = 0; place < width * height; place++) {
    const [x, y] = [place % width, Math.floor(place / width)];
    data.fill(x < 30 ? 128 : (x + y) % 2 === 0 ? 108 : 148, place * 3, place * 3 + 3);
  }
  const canvas = { width, height: 80, kept: { left: 0, top: 0, width, height } };
  const detail = expectedDetail(canvas, { width, height, channels: 3, data }, 3);
  const at = (x: number, y: number) => detail[y * width + x];
  expect(at(10, 20)).toBe(0);
  expect(at(50, 20)).toBeCloseTo(20, 0);
  expect(at(10, 70)).toBeLessThan(0.5);
  expect(at(50, 70)).toBeGreaterThan(19);
});
