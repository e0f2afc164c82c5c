import { describe, expect, test } from 'vitest';
import type { ColourPlanes } from '../../../../../models/operations/upscale/colour-planes.ts';
import { restrainColours } from '../../../../../models/operations/upscale/enlarge-planes.ts';

const SIDE = 24;

function planes(side: number, colourAt: (x: number, y: number) => readonly number[]): ColourPlanes {
  const size = side * side;
  const colours = new Float32Array(size * 3);
  for (let at = 0; at < size; at++) {
    const colour = colourAt(at % side, Math.floor(at / side));
    for (const channel of [0, 1, 2]) colours[at + channel * size] = colour[channel] as number;
  }
  return { width: side, height: side, colours };
}

/** Repeats each sample, and adds swings of a twentieth that differ between the channels. */
function enlarge(source: ColourPlanes): ColourPlanes {
  const side = SIDE * 2;
  const size = SIDE * SIDE;
  return planes(side, (x, y) => {
    const from = Math.floor(y / 2) * SIDE + Math.floor(x / 2);
    return [0, 1, 2].map(
      (channel) => (source.colours[from + channel * size] as number) + ((x + y + channel) % 2 ? 0.05 : -0.05),
    );
  });
}

describe('restrainColours', () => {
  test('keeps a flat image flat', () => {
    const source = planes(SIDE, () => [0.9, 0.25, 0.125]);
    const enlarged = enlarge(source);
    restrainColours(enlarged, source, 2);
    expect(enlarged).toEqual(planes(SIDE * 2, () => [0.9, 0.25, 0.125]));
  });

  test('leaves no swings next to the hard edge of a drawing', () => {
    const source = planes(SIDE, (x) => (x < SIDE / 2 ? [1, 0, 0.5] : [0, 0, 1]));
    const enlarged = enlarge(source);
    restrainColours(enlarged, source, 2);
    expect(Math.min(...enlarged.colours)).toBe(0);
    expect(Math.max(...enlarged.colours)).toBe(1);
  });

  test('keeps what a network adds to a photograph', () => {
    const source = planes(SIDE, (x, y) => [0.5 + Math.sin(x * 7 + y) / 9, (x * y) / 900, x / 60 + y / 90]);
    const enlarged = enlarge(source);
    const before = enlarged.colours.slice();
    restrainColours(enlarged, source, 2);
    expect(enlarged.colours).toEqual(before);
    restrainColours(enlarged, source, 2, true);
    expect(enlarged.colours).not.toEqual(before);
  });

  test('keeps grey places grey, also next to coloured ones', () => {
    const source = planes(SIDE, (x, y) => {
      const level = ((x * 5 + y * 11) % 17) / 20;
      return x < SIDE / 2 ? [level, level, level] : [level, 0.1, 0.3];
    });
    const enlarged = enlarge(source);
    restrainColours(enlarged, source, 2);
    const size = 4 * SIDE * SIDE;
    for (let at = 0; at < size; at++) {
      if (at % (2 * SIDE) >= SIDE - 2) continue;
      expect(enlarged.colours[at + size]).toBe(enlarged.colours[at]);
      expect(enlarged.colours[at + 2 * size]).toBe(enlarged.colours[at]);
    }
  });
});
