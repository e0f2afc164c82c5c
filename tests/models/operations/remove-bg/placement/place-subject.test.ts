import { describe, expect, test } from 'vitest';
import type { Raster8 } from '../../../../../models/core/runtime/raster.ts';
import { solidBackdrop } from '../../../../../models/operations/remove-bg/backdrop.ts';
import {
  alphaBox,
  type LayoutOptions,
  layOutSubject,
} from '../../../../../models/operations/remove-bg/lay-out-subject.ts';
import { type PlaceOptions, placeSubject } from '../../../../../models/operations/remove-bg/place-subject.ts';

const RED = [200, 30, 20, 255] as const;
const BLUE = [20, 30, 200, 255] as const;
const WHITE = solidBackdrop([1, 1, 1, 1]);
const PLAIN: PlaceOptions = { shadow: null, backdrop: null, onRow: () => {} };

/** Subject of 20 x 10 pixels at (30, 20) in an image of 80 x 60: its left half red, its right half blue. */
function cutout(): Raster8 {
  const data = new Uint8Array(80 * 60 * 4);
  for (let y = 20; y < 30; y++) {
    for (let x = 30; x < 50; x++) data.set(x < 40 ? RED : BLUE, (y * 80 + x) * 4);
  }
  return { width: 80, height: 60, data };
}

function place(layout: LayoutOptions, options: Partial<PlaceOptions> = {}) {
  const raster = cutout();
  const placed = placeSubject(raster, layOutSubject(raster, alphaBox(raster), layout), {
    ...PLAIN,
    ...options,
  });
  const pixel = (x: number, y: number) =>
    Array.from(placed.data.subarray((y * placed.width + x) * 4).subarray(0, 4));
  return { ...placed, pixel, box: alphaBox(placed) };
}

const exact = (width: number, height: number) => ({ kind: 'exact' as const, width, height });

describe('placeSubject', () => {
  test('keeps every pixel of a subject at its own size', () => {
    expect(place({}).data).toEqual(cutout().data);
    const { width, height, box, pixel } = place({ margin: 0 });
    expect([width, height]).toEqual([20, 10]);
    expect(box).toEqual({ left: 0, top: 0, width: 20, height: 10 });
    expect([pixel(0, 0), pixel(9, 9), pixel(10, 0), pixel(19, 9)]).toEqual([
      [...RED],
      [...RED],
      [...BLUE],
      [...BLUE],
    ]);
  });

  test('scales, and moves the centre', () => {
    const { box, pixel } = place({
      canvas: exact(100, 100),
      margin: 0,
      position: { x: 0.5, y: 0.25, scale: 0.8, angle: 0 },
    });
    expect(box).toEqual({ left: 10, top: 5, width: 80, height: 40 });
    expect(pixel(20, 20)).toEqual([...RED]);
    expect(pixel(80, 20)).toEqual([...BLUE]);
  });

  test.each([
    [90, [50, 40], [50, 60]],
    [180, [60, 50], [40, 50]],
    [-90, [50, 60], [50, 40]],
  ] as const)('turns clockwise by %i degrees', (angle, red, blue) => {
    const { pixel } = place({
      canvas: exact(100, 100),
      margin: 0,
      position: { x: 0.5, y: 0.5, scale: 0.5, angle },
    });
    expect(pixel(red[0], red[1])).toEqual([...RED]);
    expect(pixel(blue[0], blue[1])).toEqual([...BLUE]);
  });

  test('cuts off what lies outside of the canvas, however large', () => {
    const { width, pixel } = place({
      canvas: exact(50, 50),
      margin: 0,
      position: { x: 0, y: 0.5, scale: 8, angle: 0 },
    });
    expect(width).toBe(50);
    // The filter overshoots a little near the red half.
    const [red = 99, , blue, alpha] = pixel(25, 25);
    expect([red <= 20, (blue ?? 0) > 190, alpha]).toEqual([true, true, 255]);
  });

  test('covers a backdrop', () => {
    const { pixel } = place({ margin: 0.25 }, { backdrop: WHITE });
    expect([pixel(0, 0), pixel(10, 10)]).toEqual([[255, 255, 255, 255], [...RED]]);
  });

  test('casts a soft shadow behind the subject and a little below', () => {
    const shadow = { kind: 'soft' as const, strength: 1 };
    const { pixel } = place({ canvas: exact(200, 200), margin: 0.2 }, { shadow, backdrop: WHITE });
    const below = pixel(100, 133)[0] as number;
    const above = pixel(100, 66)[0] as number;
    expect(below).toBeLessThan(above);
    expect(below).toBeLessThan(240);
    expect(pixel(5, 5)).toEqual([255, 255, 255, 255]);
    expect(pixel(60, 100)).toEqual([...RED]);
  });

  test('casts a contact shadow below the foot only', () => {
    const shadow = { kind: 'contact' as const, strength: 0.8 };
    const { pixel } = place({ canvas: exact(200, 200), margin: 0.2 }, { shadow });
    // The subject spans 70 to 130.
    expect(pixel(100, 132)[3]).toBeGreaterThan(30);
    expect(pixel(100, 132).slice(0, 3)).toEqual([0, 0, 0]);
    expect(pixel(100, 60)[3]).toBe(0);
    expect(pixel(100, 150)[3]).toBe(0);
  });

  test('casts a contact shadow at each foot, and hardly below what stands over the ground', () => {
    const raster: Raster8 = { width: 120, height: 100, data: new Uint8Array(120 * 100 * 4) };
    const fill = (left: number, top: number, right: number, bottom: number) => {
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) raster.data.set(RED, (y * 120 + x) * 4);
      }
    };
    // A table: the right leg is farther away, and ends higher up.
    fill(20, 20, 100, 30);
    fill(20, 30, 28, 80);
    fill(92, 30, 100, 72);
    const layout = layOutSubject(raster, alphaBox(raster), {});
    const shadow = { kind: 'contact' as const, strength: 1 };
    const { data, width } = placeSubject(raster, layout, { ...PLAIN, shadow });
    const shade = (x: number, y: number) => data[(y * width + x) * 4 + 3] as number;
    expect(shade(24, 81)).toBeGreaterThan(100);
    expect(shade(96, 73)).toBeGreaterThan(100);
    expect(shade(96, 81)).toBeLessThan(20);
    expect(Math.max(...[62, 66, 70, 74, 78, 81].map((y) => shade(60, y)))).toBeLessThan(30);
  });

  test('casts a soft shadow where the subject ends at the lower edge of its canvas', () => {
    const at = (kind: 'soft' | 'contact') =>
      place(
        { canvas: exact(100, 100), margin: 0, position: { x: 0.5, y: 0.8, scale: 0.8, angle: 0 } },
        { shadow: { kind, strength: 1 } },
      ).data;
    expect(at('contact')).toEqual(at('soft'));
  });

  test('is darker the stronger the shadow', () => {
    const at = (strength: number) =>
      place({ canvas: exact(200, 200), margin: 0.2 }, { shadow: { kind: 'soft', strength } }).pixel(
        100,
        133,
      )[3] as number;
    expect(at(0)).toBe(0);
    expect(at(0.4)).toBeGreaterThan(0);
    expect(Math.abs(at(0.8) - 2 * at(0.4))).toBeLessThanOrEqual(2);
  });
});

describe('alphaBox', () => {
  test('of an empty cutout is the whole image', () => {
    expect(alphaBox({ width: 5, height: 4, data: new Uint8Array(80) })).toEqual({
      left: 0,
      top: 0,
      width: 5,
      height: 4,
    });
  });
});
