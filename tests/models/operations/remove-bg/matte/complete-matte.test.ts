import { describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
import {
  CUT_SIDE,
  completeMatte as complete,
} from '../../../../../models/operations/remove-bg/matte/complete-matte.ts';

const SIDE = 120;
const RED = [0.8, 0.1, 0.1] as const;
const GREEN = [0.1, 0.6, 0.2] as const;

type At<Value> = (x: number, y: number) => Value;
const matteOf = (at: At<number>): FloatImage => ({
  width: SIDE,
  height: SIDE,
  channels: 1,
  data: Float32Array.from({ length: SIDE * SIDE }, (_, place) => at(place % SIDE, Math.floor(place / SIDE))),
});
const coloursOf = (isSubject: At<boolean>): FloatImage => ({
  width: SIDE,
  height: SIDE,
  channels: 3,
  data: Float32Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const place = Math.floor(at / 3);
    return (isSubject(place % SIDE, Math.floor(place / SIDE)) ? RED : GREEN)[at % 3] as number;
  }),
});
const completeMatte = (matte: FloatImage, colours: FloatImage) => complete(matte, colours, CUT_SIDE.still);
const valueAt = ({ data }: FloatImage, x: number, y: number) => data[y * SIDE + x] as number;

/** Distance inside a disc of radius 40 around the middle. */
const inDisc = (x: number, y: number) => 40 - Math.hypot(x - 60, y - 60);
/** Disc with an edge that is 4 pixels wide. */
const softDisc = (x: number, y: number) => Math.min(1, Math.max(0, inDisc(x, y) / 4 + 0.5));
const inHole = (x: number, y: number) => Math.hypot(x - 60, y - 60) < 10;
const disc = coloursOf((x, y) => inDisc(x, y) > 0);

/** Largest difference of two mattes. */
const differenceOf = (one: FloatImage, other: FloatImage) =>
  one.data.reduce((most, value, place) => Math.max(most, Math.abs(value - (other.data[place] as number))), 0);

describe('a completed matte', () => {
  it('keeps a subject and its soft edge', () => {
    const matte = matteOf(softDisc);
    expect(differenceOf(completeMatte(matte, disc), matte)).toBeLessThan(0.15);
  });

  it('makes a see-through inside opaque', () => {
    const pale = matteOf((x, y) => softDisc(x, y) * (inDisc(x, y) > 8 ? 0.6 : 1));
    expect(differenceOf(completeMatte(pale, disc), matteOf(softDisc))).toBeLessThan(0.15);
  });

  it('clears the haze around a subject', () => {
    const hazy = matteOf((x, y) => Math.max(softDisc(x, y), inDisc(x, y) < -6 ? 0.3 : 0));
    expect(differenceOf(completeMatte(hazy, disc), matteOf(softDisc))).toBeLessThan(0.15);
  });

  it('fills a hole of the subject’s colours, and leaves one that shows the background', () => {
    const holed = matteOf((x, y) => (inHole(x, y) ? 0.05 : softDisc(x, y)));
    expect(valueAt(completeMatte(holed, disc), 60, 60)).toBe(1);
    const through = coloursOf((x, y) => inDisc(x, y) > 0 && !inHole(x, y));
    expect(valueAt(completeMatte(holed, through), 60, 60)).toBeLessThan(0.06);
  });

  it('fills a hole in which the model itself half saw the subject', () => {
    const holed = matteOf((x, y) => (inHole(x, y) ? 0.45 : softDisc(x, y)));
    expect(valueAt(completeMatte(holed, disc), 60, 60)).toBe(1);
  });

  it('drops a detached island and its haze, and keeps one as large as a subject', () => {
    const inIsland = (x: number, y: number, radius: number) => Math.hypot(x - 10, y - 10) < radius;
    const isEither = coloursOf((x, y) => inDisc(x, y) > 0 || inIsland(x, y, 9));
    const speckled = matteOf((x, y) => {
      if (inIsland(x, y, 4)) return 0.9;
      return inIsland(x, y, 7) ? 0.1 : softDisc(x, y);
    });
    expect(valueAt(completeMatte(speckled, isEither), 10, 10)).toBe(0);
    expect(valueAt(completeMatte(speckled, isEither), 60, 60)).toBe(1);
    const two = matteOf((x, y) => (inIsland(x, y, 9) ? 1 : softDisc(x, y)));
    expect(valueAt(completeMatte(two, isEither), 10, 10)).toBe(1);
  });

  it('drops a small island that the model half saw, and keeps one of the same size that it saw clearly', () => {
    const inIsland = (x: number, y: number) => Math.hypot(x - 12, y - 12) < 9;
    const both = coloursOf((x, y) => inDisc(x, y) > 0 || inIsland(x, y));
    const withIsland = (value: number) => matteOf((x, y) => (inIsland(x, y) ? value : softDisc(x, y)));
    expect(valueAt(completeMatte(withIsland(0.6), both), 12, 12)).toBe(0);
    expect(valueAt(completeMatte(withIsland(0.9), both), 12, 12)).toBeGreaterThan(0.85);
  });

  it('keeps a large island that the model half saw', () => {
    const isLarge = (x: number, y: number) => Math.hypot(x - 14, y - 14) < 14;
    const both = coloursOf((x, y) => inDisc(x, y) > 0 || isLarge(x, y));
    const matte = matteOf((x, y) => (isLarge(x, y) ? 0.6 : softDisc(x, y)));
    expect(valueAt(completeMatte(matte, both), 12, 12)).toBeGreaterThan(0.55);
  });

  it('keeps a thin structure that faint values link to the subject', () => {
    const isString = (x: number, y: number) => x === 60 && y < 30;
    const kite = matteOf((x, y) => (isString(x, y) ? (y < 4 ? 0.8 : 0.3) : softDisc(x, y)));
    const completed = completeMatte(kite, disc);
    for (let y = 0; y < 16; y++) expect(valueAt(completed, 60, y)).toBe(valueAt(kite, 60, y));
  });

  it('is empty where nothing is likely to be a subject', () => {
    const faint = matteOf((x) => (x / SIDE) * 0.3);
    expect(
      differenceOf(
        completeMatte(faint, disc),
        matteOf(() => 0),
      ),
    ).toBe(0);
  });
});
