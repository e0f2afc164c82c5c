import { describe, expect, it } from 'vitest';
import { type CmykGrid, cmykToSrgb } from '../../../../models/media/image/icc/cmyk-to-srgb.ts';
import { isCmykJpeg } from '../../../../models/media/image/jpeg/segments.ts';
import { imageFixture } from '../../../support/media/images.ts';

/** Grid of two nodes per ink: no ink and full ink. */
function getGrid(colour: (c: number, m: number, y: number, k: number) => number[]): CmykGrid {
  const nodes = [0, 1];
  const colours = nodes.flatMap((c) =>
    nodes.flatMap((m) => nodes.flatMap((y) => nodes.flatMap((k) => colour(c, m, y, k)))),
  );
  return { nodes: 2, colours: Uint8Array.from(colours) };
}

describe('CMYK colours converted by a grid', () => {
  const grid = getGrid((c, m, y, k) => [c, m, y].map((ink) => 255 * (1 - ink) * (1 - k)));

  it('equal the nodes at full and no ink', () => {
    const inks = Uint8Array.from([0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255]);
    const { data } = cmykToSrgb(inks, 5, 1, grid);
    const colours = [0, 4, 8, 12, 16].map((at) => Array.from(data.subarray(at, at + 4)));
    expect(colours).toEqual([
      [255, 255, 255, 255],
      [0, 255, 255, 255],
      [255, 0, 255, 255],
      [255, 255, 0, 255],
      [0, 0, 0, 255],
    ]);
  });

  it('are linear between the nodes', () => {
    const { data } = cmykToSrgb(Uint8Array.from([51, 102, 204, 0]), 1, 1, grid);
    expect(Array.from(data)).toEqual([204, 153, 51, 255]);
  });
});

it.each([
  ['cmyk.jpg', true],
  ['camera.jpg', false],
])('%s is a CMYK JPEG: %s', async (name, areInks) => {
  expect(isCmykJpeg(new Uint8Array(await (await imageFixture(name)).arrayBuffer()))).toBe(areInks);
});
