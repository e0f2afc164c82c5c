import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  actualScale,
  canPan,
  clampView,
  closeScale,
  fitScale,
  fitView,
  getBox,
  isCrisp,
  isFit,
  type Point,
  panBy,
  pinch,
  revealPoint,
  stepScale,
  toImagePoint,
  type View,
  type ViewConditions,
  zoomPercent,
  zoomTo,
} from '../../../app/studio/stage/stage-geometry.ts';

const NEAR = 1e-6;

const side = (least: number, most: number) => fc.integer({ min: least, max: most });
const settings: fc.Arbitrary<ViewConditions> = fc.record({
  image: fc.record({ width: side(1, 12_000), height: side(1, 12_000) }),
  well: fc.record({ width: side(200, 1600), height: side(200, 1200) }),
  pixelRatio: fc.constantFrom(1, 1.25, 1.5, 2, 3),
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const shares = fc.record({ x: share, y: share });
const factor = fc.double({ min: 0.02, max: 50, noNaN: true });

/** Setting with any allowed view, and a point of the well. */
const scenes = fc
  .tuple(settings, shares, factor, shares)
  .map(([setting, centre, times, at]): { setting: ViewConditions; view: View; at: Point } => {
    const { image, well } = setting;
    const chosen = { scale: fitScale(setting) * times, centre: scaled(centre, image) };
    return { setting, view: clampView(chosen, setting), at: scaled(at, well) };
  });

function scaled({ x, y }: Point, { width, height }: { width: number; height: number }): Point {
  return { x: x * width, y: y * height };
}

/** Checks that the image covers the well where it is longer, and is centred where it is not. */
function expectInWell(view: View, setting: ViewConditions): void {
  const { left, top, width, height } = getBox(view, setting);
  const { well } = setting;
  for (const [start, length, room] of [
    [left, width, well.width],
    [top, height, well.height],
  ] as const) {
    const tolerance = NEAR * Math.max(length, room);
    if (length <= room) expect(Math.abs(start * 2 + length - room)).toBeLessThan(tolerance);
    else {
      expect(start).toBeLessThan(tolerance);
      expect(start + length).toBeGreaterThan(room - tolerance);
    }
  }
}

test('the whole image fits the well, and touches it on two sides', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      const view = fitView(setting);
      const { left, top, width, height } = getBox(view, setting);
      expect(isFit(view, setting)).toBe(true);
      expect(canPan(view, setting)).toBe(false);
      expect(Math.min(left, top)).toBeGreaterThan(-NEAR * 1600);
      expect(Math.max(width / setting.well.width, height / setting.well.height)).toBeCloseTo(1, 9);
    }),
  );
});

test('zoom, pan and pinch never let the image leave the well', () => {
  fc.assert(
    fc.property(scenes, factor, shares, shares, ({ setting, view, at }, times, one, other) => {
      const by = { x: (one.x - 0.5) * 9000, y: (one.y - 0.5) * 9000 };
      const from = [at, scaled(one, setting.well)] as const;
      const to = [scaled(other, setting.well), at] as const;
      for (const next of [
        zoomTo(view, view.scale * times, at, setting),
        panBy(view, by, setting),
        pinch(view, from, to, setting),
        revealPoint(view, scaled(other, setting.image), setting),
      ]) {
        expectInWell(next, setting);
        expect(clampView(next, setting)).toEqual(next);
      }
    }),
  );
});

test('the zoom stays between the whole image or 100 %, and 1600 % or the whole image', () => {
  fc.assert(
    fc.property(scenes, factor, ({ setting, view, at }, times) => {
      const { scale } = zoomTo(view, view.scale * times, at, setting);
      const [fit, actual] = [fitScale(setting), actualScale(setting)];
      expect(scale).toBeGreaterThanOrEqual(Math.min(fit, actual));
      expect(scale).toBeLessThanOrEqual(Math.max(fit, actual * 16));
    }),
  );
});

test('the image point under the pointer stays there, wherever the image is larger than the well', () => {
  fc.assert(
    fc.property(scenes, fc.double({ min: 1, max: 8, noNaN: true }), ({ setting, view, at }, times) => {
      const { width, height } = getBox(view, setting);
      const held = toImagePoint(view, at, setting);
      const next = zoomTo(view, view.scale * times, at, setting);
      const after = toImagePoint(next, at, setting);
      if (width >= setting.well.width) expect(Math.abs(after.x - held.x) * next.scale).toBeLessThan(0.01);
      if (height >= setting.well.height) expect(Math.abs(after.y - held.y) * next.scale).toBeLessThan(0.01);
    }),
  );
});

test('a pan within the bounds moves the image by as much as the pointer, and back again', () => {
  fc.assert(
    fc.property(scenes, shares, ({ setting, view }, move) => {
      const by = { x: move.x * 100 - 50, y: move.y * 100 - 50 };
      const moved = panBy(view, by, setting);
      const [from, to] = [getBox(view, setting), getBox(moved, setting)];
      expect(to.width).toBeCloseTo(from.width, 6);
      // A bound shortens the way, and never turns it round.
      expect((to.left - from.left) * by.x).toBeGreaterThanOrEqual(-NEAR * Math.max(1, from.width));
      expect(Math.abs(to.left - from.left)).toBeLessThanOrEqual(
        Math.abs(by.x) + NEAR * Math.max(1, from.width),
      );
      const isFree = Math.abs(to.left - from.left - by.x) < NEAR && Math.abs(to.top - from.top - by.y) < NEAR;
      if (!isFree) return;
      const back = getBox(panBy(moved, { x: -by.x, y: -by.y }, setting), setting);
      expect(Math.abs(back.left - from.left)).toBeLessThan(NEAR * Math.max(1, from.width));
    }),
  );
});

test('two fingers that only move together pan, and that only spread zoom around their middle', () => {
  fc.assert(
    fc.property(scenes, shares, shares, ({ setting, view, at }, other, move) => {
      const second = scaled(other, setting.well);
      fc.pre(Math.hypot(at.x - second.x, at.y - second.y) > 1);
      const by = { x: move.x * 80 - 40, y: move.y * 80 - 40 };
      const shifted = ({ x, y }: Point): Point => ({ x: x + by.x, y: y + by.y });
      const panned = pinch(view, [at, second], [shifted(at), shifted(second)], setting);
      const expected = panBy(view, by, setting);
      expect(panned.scale / expected.scale).toBeCloseTo(1, 6);
      expect((panned.centre.x - expected.centre.x) * view.scale).toBeCloseTo(0, 3);

      const middle = { x: (at.x + second.x) / 2, y: (at.y + second.y) / 2 };
      const spread = ({ x, y }: Point): Point => ({ x: 2 * x - middle.x, y: 2 * y - middle.y });
      const zoomed = pinch(view, [at, second], [spread(at), spread(second)], setting);
      const wanted = zoomTo(view, view.scale * 2, middle, setting);
      expect(zoomed.scale / wanted.scale).toBeCloseTo(1, 6);
      expect((zoomed.centre.x - wanted.centre.x) * wanted.scale).toBeCloseTo(0, 3);
    }),
  );
});

test('steps in and out lead through the whole image and 100 %, and end at the bounds', () => {
  fc.assert(
    fc.property(settings, (setting) => {
      const middle = { x: setting.well.width / 2, y: setting.well.height / 2 };
      let view = fitView(setting);
      const percents: number[] = [];
      for (let steps = 0; steps < 60; steps++) {
        view = zoomTo(view, stepScale(view, 1, setting), middle, setting);
        percents.push(zoomPercent(view, setting));
      }
      const fit = zoomPercent(fitView(setting), setting);
      expect(percents.at(-1)).toBeCloseTo(Math.max(1600, fit), 3);
      if (fit < 99) expect(percents.some((percent) => Math.abs(percent - 100) < NEAR)).toBe(true);
      for (let steps = 0; steps < 60; steps++) {
        const before = view.scale;
        view = zoomTo(view, stepScale(view, -1, setting), middle, setting);
        expect(view.scale).toBeLessThanOrEqual(before * (1 + NEAR));
      }
      expect(zoomPercent(view, setting)).toBeCloseTo(Math.min(fit, 100), 6);
    }),
  );
});

test('a revealed point is in the well', () => {
  fc.assert(
    fc.property(scenes, shares, ({ setting, view }, place) => {
      const point = scaled(place, setting.image);
      const next = revealPoint(view, point, setting);
      const { left, top } = getBox(next, setting);
      const tolerance = NEAR * Math.max(1, getBox(next, setting).width, getBox(next, setting).height);
      expect(left + point.x * next.scale).toBeGreaterThan(-tolerance);
      expect(left + point.x * next.scale).toBeLessThan(setting.well.width + tolerance);
      expect(top + point.y * next.scale).toBeGreaterThan(-tolerance);
      expect(top + point.y * next.scale).toBeLessThan(setting.well.height + tolerance);
    }),
  );
});

test('at 100 % an image pixel covers a device pixel, and squares are drawn above 400 %', () => {
  const setting = { image: { width: 4000, height: 3000 }, well: { width: 900, height: 500 }, pixelRatio: 2 };
  const at = { x: 0, y: 0 };
  const actual = zoomTo(fitView(setting), actualScale(setting), at, setting);
  expect(getBox(actual, setting).width).toBe(2000);
  expect(zoomPercent(actual, setting)).toBe(100);
  expect([2, 2.01].map((scale) => isCrisp(zoomTo(actual, scale, at, setting), setting))).toEqual([
    false,
    true,
  ]);
});

test('a region is looked at at 100 %, or at 200 % where the whole image already has that', () => {
  const getScale = (width: number, pixelRatio = 1) => {
    const setting = { image: { width, height: 10 }, well: { width: 1000, height: 1000 }, pixelRatio };
    return zoomPercent({ ...fitView(setting), scale: closeScale(fitView(setting), setting) }, setting);
  };
  expect(getScale(4000)).toBeCloseTo(100);
  expect(getScale(1200)).toBeCloseTo(200);
  expect(getScale(800)).toBeCloseTo(200);
  expect(getScale(2400, 2)).toBeCloseTo(200);
  // The whole image is larger still.
  expect(getScale(250)).toBeCloseTo(400);
});
