import { describe, expect, it } from 'vitest';
import type { Raster8 } from '../../../../models/core/runtime/raster.ts';
import { type GroundMap, mapGround } from '../../../../models/operations/remove-bg/matte/flat-ground.ts';
import { removeBackground } from '../../../../models/operations/remove-bg/remove-background.ts';
import { countFloats } from '../../../support/media/count-floats.ts';
import { createMattingInference } from '../../../support/models/matting-inference.ts';

const WIDTH = 480;
const HEIGHT = 360;
type Colour = readonly [red: number, green: number, blue: number, alpha?: number];

/** Paints a picture with edges one pixel wide: each shape tells how far a pixel lies within it, in pixels. */
function paint(
  ground: Colour,
  ...shapes: readonly (readonly [colour: Colour, getDepth: (x: number, y: number) => number])[]
): Raster8 {
  const data = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const mixed = [ground[0], ground[1], ground[2], ground[3] ?? 255];
    for (const [colour, getDepth] of shapes) {
      const share = Math.min(1, Math.max(0, getDepth(pixel % WIDTH, Math.floor(pixel / WIDTH)) + 0.5));
      mixed.forEach((value, channel) => {
        mixed[channel] = value + share * ((colour[channel] ?? 255) - value);
      });
    }
    data.set(mixed.map(Math.round), pixel * 4);
  }
  return { width: WIDTH, height: HEIGHT, data };
}

const disc = (centreX: number, centreY: number, radius: number) => (x: number, y: number) =>
  radius - Math.hypot(x - centreX, y - centreY);

async function cut(raster: Raster8, subject: 'all' | 'primary' = 'all') {
  const removal = await removeBackground(
    raster,
    { engine: 'auto', subject, backdrop: null },
    {
      inference: createMattingInference(['u2netp']),
      signal: new AbortController().signal,
      progress: () => {},
    },
  );
  const alphaAt = (x: number, y: number) => raster.data[(y * WIDTH + x) * 4 + 3];
  const colourAt = (x: number, y: number) => [
    ...raster.data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3),
  ];
  return { ...removal, alphaAt, colourAt };
}

describe('removing a ground of one colour', () => {
  it('clears the hole of a ring, and gives its edge the colour of the ring', async () => {
    const ring = (x: number, y: number) => Math.min(disc(240, 180, 120)(x, y), -disc(240, 180, 50)(x, y));
    const { alphaAt, colourAt, quality } = await cut(paint([0, 200, 60], [[30, 70, 200], ring]));
    expect([alphaAt(240, 180), alphaAt(5, 5), alphaAt(240, 90), quality]).toEqual([0, 0, 255, 'high']);
    let mixed = 0;
    for (let x = 100; x < 240; x++) {
      const alpha = alphaAt(x, 150);
      if (alpha === 0 || alpha === 255) continue;
      mixed++;
      const colour = colourAt(x, 150);
      [30, 70, 200].forEach((value, channel) => {
        expect(Math.abs(colour[channel] - value)).toBeLessThan(12);
      });
    }
    expect(mixed).toBeGreaterThan(0);
  });

  it('keeps a spot of the colour of the ground that is printed on a product', {
    tags: ['long'],
  }, async () => {
    const { alphaAt } = await cut(
      paint([244, 244, 244], [[160, 30, 40], disc(240, 180, 130)], [[244, 244, 244], disc(240, 180, 25)]),
    );
    expect([alphaAt(240, 180), alphaAt(5, 5)]).toEqual([255, 0]);
  });

  it('leaves only the ink of a signature', async () => {
    const line = (x: number, y: number) => 1.5 - Math.abs(y - 180 - 60 * Math.sin(x / 25));
    const { alphaAt } = await cut(paint([244, 242, 236], [[20, 20, 90], line]));
    expect([alphaAt(0, 180), alphaAt(236, 60), alphaAt(240, 300)]).toEqual([255, 0, 0]);
  });

  it('leaves the alpha of a white logo on transparency as it is', async () => {
    const raster = paint(
      [0, 0, 0, 0],
      [[255, 255, 255], disc(150, 180, 60)],
      [[255, 255, 255], disc(330, 180, 30)],
    );
    const before = raster.data.slice();
    expect((await cut(raster)).subjectCount).toBe(2);
    expect(raster.data).toEqual(before);
  });

  it('keeps the largest part of a logo on transparency, if only that is wanted', {
    tags: ['long'],
  }, async () => {
    const raster = paint(
      [0, 0, 0, 0],
      [[255, 255, 255], disc(150, 180, 60)],
      [[255, 255, 255], disc(330, 180, 30)],
    );
    const { alphaAt } = await cut(raster, 'primary');
    expect([alphaAt(150, 180), alphaAt(330, 180)]).toEqual([255, 0]);
  });

  it('finds nothing in one colour', async () => {
    expect(await cut(paint([10, 120, 200]))).toMatchObject({ subjectCount: 0, quality: 'low' });
  });
});

describe('mapping a ground of one colour', () => {
  const SIDE = 252;
  /** Walls of 5 pixels around gaps of 2, from the border to the centre. */
  const isGap = (x: number, y: number) => Math.min(x, y, SIDE - 1 - x, SIDE - 1 - y) % 7 < 2;
  const target = {
    ...{ width: SIDE, height: SIDE, channels: 3 },
    data: Float32Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
      const pixel = Math.floor(at / 3);
      return isGap(pixel % SIDE, Math.floor(pixel / SIDE)) ? 1 : 0;
    }),
  };
  const white = { colour: [255, 255, 255], tolerance: 8 } as const;

  it('reaches each gap of a target from the one around it, and looks only near what was cleared last', async () => {
    let map: GroundMap | undefined;
    const floats = await countFloats(() => {
      map = mapGround(target, white, () => {});
    });
    const wanted = Uint8Array.from({ length: SIDE * SIDE }, (_, at) =>
      isGap(at % SIDE, Math.floor(at / SIDE)) ? 1 : 0,
    );
    expect(map?.clear.every((own, at) => own === wanted[at])).toBe(true);
    // The distances of the whole, once for each of its 18 gaps, would be a million.
    expect(floats).toBeLessThan(600_000);
  });

  it('ends between two gaps when its caller does', () => {
    let rounds = 0;
    const end = () => {
      if (++rounds === 3) throw new Error('ended');
    };
    expect(() => mapGround(target, white, end)).toThrow('ended');
  });
});
