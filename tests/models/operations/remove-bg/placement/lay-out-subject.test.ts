import { describe, expect, test } from 'vitest';
import { layOutSubject } from '../../../../../models/operations/remove-bg/lay-out-subject.ts';

const IMAGE = { width: 400, height: 300 };
const BOX = { left: 100, top: 50, width: 120, height: 60 };
const ratio = (width: number, height: number) => ({ kind: 'ratio' as const, width, height });
const exact = (width: number, height: number) => ({ kind: 'exact' as const, width, height });

describe('layOutSubject', () => {
  test('without choices keeps the canvas and the place', () => {
    expect(layOutSubject(IMAGE, BOX, {})).toEqual({
      ...IMAGE,
      box: BOX,
      scale: 1,
      centre: { x: 160, y: 80 },
      angle: 0,
    });
  });

  test('with a margin alone crops to the subject with that share of the shorter side around it', () => {
    const { width, height, scale, centre } = layOutSubject(IMAGE, BOX, { margin: 0.2 });
    // 60 pixels are three fifths of 100, which is the shorter side.
    expect([width, height, scale]).toEqual([160, 100, 1]);
    expect(centre).toEqual({ x: 80, y: 50 });
  });

  test('makes a shape the smallest canvas around the subject, at its own size', () => {
    expect(layOutSubject(IMAGE, BOX, { canvas: ratio(1, 1), margin: 0.2 })).toMatchObject({
      width: 200,
      height: 200,
      scale: 1,
    });
    const portrait = layOutSubject(IMAGE, BOX, { canvas: ratio(4, 5), margin: 0 });
    expect(portrait).toMatchObject({ width: 120, height: 150, scale: 1, centre: { x: 60, y: 75 } });
    const passport = layOutSubject(IMAGE, BOX, { canvas: ratio(35, 45), margin: 0.1 });
    expect(passport.width / passport.height).toBeCloseTo(35 / 45, 2);
  });

  test('fits the subject into an exact canvas with its margin, enlarged or reduced', () => {
    const large = layOutSubject(IMAGE, BOX, { canvas: exact(1000, 1000), margin: 0.1 });
    expect(large.scale * BOX.width).toBeCloseTo(800);
    const usual = layOutSubject(IMAGE, BOX, { canvas: exact(1000, 1000) });
    expect(usual.scale * BOX.width).toBeCloseTo(850);
    expect(layOutSubject(IMAGE, BOX, { canvas: exact(60, 60), margin: 0 }).scale).toBe(0.5);
  });

  test('places the centre, scales and turns from there', () => {
    const layout = layOutSubject(IMAGE, BOX, {
      canvas: exact(240, 240),
      margin: 0,
      position: { x: 0.25, y: 0.75, scale: 0.5, angle: 30 },
    });
    expect(layout).toMatchObject({ scale: 1, centre: { x: 60, y: 180 }, angle: 30 });
    const own = layOutSubject(IMAGE, BOX, { position: { x: 0.5, y: 0.5, scale: 2, angle: 0 } });
    expect(own).toMatchObject({ ...IMAGE, scale: 2, centre: { x: 200, y: 150 } });
  });

  test('stands a portrait that is cut off below on the lower edge', () => {
    const portrait = { left: 120, top: 60, width: 160, height: 240 };
    const layout = layOutSubject(IMAGE, portrait, { canvas: exact(350, 450), margin: 0.1 });
    // Nothing below it, and a tenth of the shorter side above it.
    expect(layout.scale * portrait.height).toBeCloseTo(450 - 35);
    expect(layout.centre.y + (layout.scale * portrait.height) / 2).toBeCloseTo(450);
    const passport = layOutSubject(IMAGE, portrait, { canvas: ratio(35, 45), margin: 0.1 });
    expect([passport.scale, passport.centre.y]).toEqual([1, passport.height - 120]);
    // Cut off at a side, too, it has no room there.
    const wide = { left: 0, top: 60, width: 400, height: 240 };
    expect(layOutSubject(IMAGE, wide, { canvas: ratio(1, 1), margin: 0.1 })).toMatchObject({ width: 400 });
    // Placed by hand, and cropped to itself, it stays as it is asked for.
    const position = { x: 0.5, y: 0.5, scale: 1, angle: 0 };
    const placed = layOutSubject(IMAGE, portrait, { canvas: ratio(1, 1), position });
    expect(placed.centre.y).toBe(placed.height / 2);
  });

  test('bounds a canvas around a large subject', () => {
    const box = { left: 0, top: 0, width: 6000, height: 1000 };
    const layout = layOutSubject(
      { width: 7000, height: 1200 },
      { ...box, left: 500, top: 50 },
      { canvas: ratio(1, 1), margin: 0.45 },
    );
    expect(layout).toMatchObject({ width: 8000, height: 8000 });
    expect(layout.scale * 6000).toBeCloseTo(800);
  });
});
