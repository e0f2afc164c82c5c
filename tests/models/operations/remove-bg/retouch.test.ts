// @module-tag long

import { describe, expect, it } from 'vitest';
import { Retouch } from '../../../../models/operations/remove-bg/retouch.ts';
import { paintStroke, type Stroke } from '../../../../models/operations/remove-bg/strokes.ts';

const WIDTH = 480;
const HEIGHT = 320;
/** Colours of the scene: a red box and a blue one, on green. */
const RED = { left: 60, right: 200, top: 90, bottom: 230, colour: [0.85, 0.15, 0.1] };
const BLUE = { left: 280, right: 420, top: 90, bottom: 230, colour: [0.1, 0.2, 0.8] };
const GREEN = [0.2, 0.55, 0.2];

type Box = typeof RED;
const isIn = ({ left, right, top, bottom }: Box, x: number, y: number) =>
  x >= left && x < right && y >= top && y < bottom;
const image = (channels: number, valuesAt: (x: number, y: number) => readonly number[]) => ({
  width: WIDTH,
  height: HEIGHT,
  channels,
  data: Float32Array.from(
    Array.from({ length: WIDTH * HEIGHT }, (_, place) =>
      valuesAt(place % WIDTH, Math.floor(place / WIDTH)),
    ).flat(),
  ),
});

/** With a little fixed texture. */
const colours = image(3, (x, y) => {
  const box = [RED, BLUE].find((each) => isIn(each, x, y));
  const grain = (((x * 31 + y * 17) % 13) - 6) / 200;
  return (box?.colour ?? GREEN).map((value) => value + grain);
});
const getMatte = (...boxes: Box[]) => image(1, (x, y) => [boxes.some((box) => isIn(box, x, y)) ? 1 : 0]);

const line = (mode: Stroke['mode'], ...points: [x: number, y: number][]): Stroke => ({
  mode,
  radius: 0.02,
  points: points.map(([x, y]) => [x / WIDTH, y / HEIGHT]),
});
const at = ({ data }: { data: Float32Array }, x: number, y: number) => data[y * WIDTH + x] as number;
const meanError = (matte: { data: Float32Array }, truth: { data: Float32Array }) =>
  matte.data.reduce((sum, value, place) => sum + Math.abs(value - (truth.data[place] as number)), 0) /
  matte.data.length;

describe('a stroke of the brush', () => {
  it('in keep mode adds the object under it, up to its edges', () => {
    const retouch = new Retouch(colours, getMatte(RED));
    const after = retouch.matteAfter([line('keep', [310, 130], [390, 190])]);
    expect(meanError(after, getMatte(RED, BLUE))).toBeLessThan(0.004);
  });

  it('in erase mode removes the object under it, up to its edges', () => {
    const retouch = new Retouch(colours, getMatte(RED, BLUE));
    const after = retouch.matteAfter([line('erase', [90, 120], [170, 200])]);
    expect(meanError(after, getMatte(BLUE))).toBeLessThan(0.004);
  });

  it('always decides the pixels under it, and a later stroke overrides an earlier one', () => {
    const retouch = new Retouch(colours, getMatte(RED));
    const kept = line('keep', [240, 30], [240, 60]);
    expect(at(retouch.matteAfter([kept]), 240, 45)).toBeGreaterThan(0.99);
    expect(at(retouch.matteAfter([kept, line('erase', [225, 45], [255, 45])]), 240, 45)).toBeLessThan(0.01);
  });

  it('does not undo another stroke', () => {
    const retouch = new Retouch(colours, getMatte(RED));
    const erased = line('erase', [400, 110], [400, 210]);
    const after = retouch.matteAfter([erased, line('keep', [300, 110], [300, 210])]);
    expect(at(after, 400, 160)).toBeLessThan(0.01);
    expect(at(after, 300, 160)).toBeGreaterThan(0.99);
  });

  it('changes nothing far away', () => {
    const before = getMatte(RED);
    const after = new Retouch(colours, before).matteAfter([line('keep', [390, 150], [400, 160])]);
    for (let y = 0; y < HEIGHT; y += 7) {
      for (let x = 0; x < 240; x += 7) expect(at(after, x, y)).toBe(at(before, x, y));
    }
  });

  it('outside the image changes nothing', () => {
    const before = getMatte(RED);
    expect(meanError(new Retouch(colours, before).matteAfter([line('keep', [-90, -90])]), before)).toBe(0);
  });
});

describe('strokes that are undone', () => {
  const first = line('keep', [310, 130], [390, 190]);
  const second = line('erase', [90, 120], [170, 200]);

  it('restore the matte as it was before', () => {
    const retouch = new Retouch(colours, getMatte(RED));
    const once = retouch.matteAfter([first]).data;
    retouch.matteAfter([first, second]);
    expect(retouch.matteAfter([first]).data).toEqual(once);
    expect(retouch.matteAfter([]).data).toEqual(getMatte(RED).data);
  });

  it('and replaced by others have no effect', () => {
    const retouch = new Retouch(colours, getMatte(RED));
    retouch.matteAfter([first, second]);
    const fresh = new Retouch(colours, getMatte(RED));
    expect(retouch.matteAfter([second, first]).data).toEqual(fresh.matteAfter([second, first]).data);
  });
});

describe('the brush', () => {
  it('covers the pixels within its radius of the line', () => {
    const painted = paintStroke(
      {
        mode: 'keep',
        radius: 0.1,
        points: [
          [0.3, 0.5],
          [0.7, 0.5],
        ],
      },
      { width: 100, height: 60 },
    );
    const covered = (x: number, y: number) => painted[y * 100 + x];
    expect([covered(50, 30), covered(21, 30), covered(78, 30), covered(50, 39), covered(50, 20)]).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect([covered(18, 30), covered(81, 30), covered(50, 41), covered(50, 18)]).toEqual([0, 0, 0, 0]);
  });

  it('paints at least one pixel however thin it is', () => {
    const painted = paintStroke(
      { mode: 'keep', radius: 0, points: [[0.5, 0.5]] },
      { width: 100, height: 60 },
    );
    expect(painted.reduce((sum, mark) => sum + mark, 0)).toBeGreaterThan(0);
  });
});
