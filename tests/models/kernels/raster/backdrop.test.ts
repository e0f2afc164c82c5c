import { describe, expect, it } from 'vitest';
import { backdropSideMax, CENTRED, imageBackdrop } from '../../../../models/operations/remove-bg/backdrop.ts';
import { countFloats } from '../../../support/media/count-floats.ts';

/** Left half red, right half blue. */
const flag = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const isLeft = Math.floor(at / 4) % width < width / 2;
    return [isLeft ? 255 : 0, 0, isLeft ? 0 : 255, 255][at % 4] as number;
  }),
});

function row(
  width: number,
  height: number,
  y: number,
  picture = flag(40, 10),
  position = CENTRED,
): number[][] {
  const values = new Float32Array(width * 4);
  imageBackdrop(picture, width, height, position).paint(y, values);
  return Array.from({ length: width }, (_, x) => Array.from(values.subarray(x * 4, x * 4 + 4), Math.round));
}

describe('an image as backdrop', () => {
  it.each([
    [10, 10],
    [100, 10],
    [6, 60],
    [41, 23],
  ])('covers %d x %d and shows its middle', (width, height) => {
    for (const y of [0, height - 1]) {
      const colours = row(width, height, y);
      expect(colours.at(0)).toEqual([1, 0, 0, 1]);
      expect(colours.at(-1)).toEqual([0, 0, 1, 1]);
      const reds = colours.filter(([red]) => red === 1).length;
      expect(Math.abs(reds - width / 2)).toBeLessThanOrEqual(1);
    }
  });

  it('shows another part where its position says so', () => {
    const redsAt = (x: number, scale = 1) =>
      row(20, 10, 0, flag(40, 10), { x, y: 0.5, scale }).filter(([red]) => red === 1).length;
    expect(redsAt(0)).toBe(20);
    expect(redsAt(0.25)).toBe(15);
    expect(redsAt(1)).toBe(0);
    // At twice the size 80 pixels are shown 20 at a time: their middle, 40, is 10 from the left at a half.
    expect(redsAt(0.5, 2)).toBe(10);
    expect(redsAt(0.6, 2)).toBe(4);
  });

  it('takes memory for the columns that are shown, not for all of an image of one row', async () => {
    // Scaled to cover the canvas, the row has a million columns.
    expect(await countFloats(() => row(512, 512, 0, flag(2048, 1)))).toBeLessThan(100_000);
  });

  it('makes use of more pixels of an enlarged image', () => {
    expect(backdropSideMax({ width: 400, height: 100 }, 100, 100)).toBe(400);
    expect(backdropSideMax({ width: 400, height: 100 }, 100, 100, 3)).toBe(1200);
  });
});
