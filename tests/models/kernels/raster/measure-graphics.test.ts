import { resolve } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { readPhotographs } from '../../../../lab/quality/photographs.ts';
import type { Raster8 } from '../../../../models/core/runtime/raster.ts';
import { measureGraphics } from '../../../../models/kernels/raster/measure-graphics.ts';
import { hasColourEdges, isDrawing } from '../../../../models/media/image/codec/graphics-coding.ts';
import { drawDiscs, drawGrayLines, drawThinLines } from '../../../support/media/drawings.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const PHOTOGRAPHS = sharedData('data/superres/kodak');

async function getRaster(image: Sharp): Promise<Raster8> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** Image of one colour with a square of another one, which begins at an even place. */
function squareOn(background: readonly number[], colour: readonly number[]): Raster8 {
  const data = new Uint8Array(64 * 64 * 4);
  for (let place = 0; place < 64 * 64; place++) {
    const isInside = place % 64 >= 16 && place % 64 < 48 && place >= 16 * 64 && place < 48 * 64;
    data.set([...(isInside ? colour : background), 255], place * 4);
  }
  return { width: 64, height: 64, data };
}

describe('measureGraphics', () => {
  test.each([
    ['thin lines', drawThinLines],
    ['discs', drawDiscs],
  ])('finds the colour edges of %s', async (_, draw) => {
    const measure = measureGraphics(await getRaster(draw()));
    expect([isDrawing(measure), hasColourEdges(measure)]).toEqual([true, true]);
  });

  test('finds none in gray lines', async () => {
    const measure = measureGraphics(await getRaster(drawGrayLines()));
    expect([isDrawing(measure), measure.colourEdges]).toEqual([true, 0]);
  });

  test('finds neither in a photograph, large or small', async () => {
    for (const width of [240, 480, 960]) {
      const file = sharp(resolve(import.meta.dirname, '../../../../public/samples/lemur.jpg')).resize(width);
      const measure = measureGraphics(await getRaster(file));
      expect([isDrawing(measure), hasColourEdges(measure)]).toEqual([false, false]);
    }
  });

  test('counts edges between squares, where decoders mix colours', () => {
    expect(measureGraphics(squareOn([255, 0, 0], [0, 0, 255])).colourEdges).toBeGreaterThan(0.05);
    expect(measureGraphics(squareOn([255, 255, 255], [0, 0, 0])).colourEdges).toBe(0);
  });

  test('does not count transparent pixels', () => {
    const { data, ...size } = squareOn([255, 255, 255], [255, 0, 0]);
    for (let at = 0; at < data.length; at += 4) if (data[at + 1] === 0) data[at + 3] = 0;
    expect(measureGraphics({ ...size, data })).toEqual({ flatShare: 1, softShare: 0, colourEdges: 0 });
  });

  test('measures 16 bits as it measures 8', async () => {
    const raster = await getRaster(drawDiscs());
    const deep = { ...raster, data: Uint16Array.from(raster.data, (sample) => sample * 257) };
    expect(measureGraphics(deep)).toEqual(measureGraphics(raster));
  });

  test('measures images of one pixel and one row', () => {
    const pixel = { width: 1, height: 1, data: new Uint8Array([1, 2, 3, 255]) };
    expect(measureGraphics(pixel)).toEqual({ flatShare: 0, softShare: 0, colourEdges: 0 });
  });
});

// The twin is the photograph of our own above.
test.skipIf(PHOTOGRAPHS.isMissing)(
  PHOTOGRAPHS.titled('photographs are no drawings'),
  { tags: ['long'] },
  async () => {
    const { calibration, verification } = await readPhotographs([]);
    for (const { name, raster } of [...calibration, ...verification]) {
      const measure = measureGraphics(raster);
      expect([name, isDrawing(measure), hasColourEdges(measure)]).toEqual([name, false, false]);
    }
  },
);
