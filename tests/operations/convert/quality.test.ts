// @module-tag long

import { resolve } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPhotographs } from '../../../lab/quality/photographs.ts';
import { decodeRaster, encodePng } from '../../../lab/quality/server-encoders.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import { convertToBlob } from '../../support/media/images.ts';
import {
  expectOnScale,
  measureQuality,
  type QualityMeasures,
  SSIM_GAP_MAX,
} from '../../support/media/quality.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const NUMBERS = [50, 75, 92];
const MODERN = ['webp', 'avif', 'heic'];
const PHOTOGRAPHS = sharedData('data/superres/kodak');

async function convertAt(raster: Raster8, to_format: string, quality: number): Promise<Blob> {
  return convertToBlob(await encodePng(raster), { to_format, quality });
}

const cases = NUMBERS.flatMap((quality) => MODERN.map((format) => [format, quality] as const));

describe('a photograph of our own', () => {
  let photograph: Raster8;
  beforeAll(async () => {
    const file = sharp(resolve(import.meta.dirname, '../../../public/samples/lemur.jpg')).resize(480);
    photograph = await decodeRaster(new Blob([new Uint8Array(await file.png().toBuffer())]));
  });

  test.each(cases)('as %s at %i is no larger than the JPEG, nor visibly worse', async (format, quality) => {
    const [jpeg, modern] = await Promise.all(
      ['jpg', format].map((each) =>
        measureQuality([photograph], (raster) => convertAt(raster, each, quality)),
      ),
    );
    expectOnScale(modern as QualityMeasures, jpeg as QualityMeasures, SSIM_GAP_MAX.alone);
  });

  test.each(MODERN)('as %s grows with every step of quality', async (format) => {
    const sizes: number[] = [];
    for (const quality of [1, 10, 20, 40, 60, 80, 100]) {
      sizes.push((await convertAt(photograph, format, quality)).size);
    }
    expect(sizes).toEqual([...new Set(sizes)].sort((one, other) => one - other));
  });

  test.each([
    [92, '4:2:0'],
    [100, '4:4:4'],
  ])('as jpg at %i has the colour resolution %s', async (quality, chromaSubsampling) => {
    const file = await convertAt(photograph, 'jpg', quality);
    expect(await sharp(await file.arrayBuffer()).metadata()).toMatchObject({ chromaSubsampling });
  });

  test.each(MODERN)('as %s accepts fractions', async (format) => {
    expect((await convertAt(photograph, format, 74.6)).size).toBeGreaterThan(0);
  });
});

// The twin is the photograph of our own above.
describe.skipIf(PHOTOGRAPHS.isMissing)(PHOTOGRAPHS.titled('photographs that no table was made by'), () => {
  let photographs: Raster8[];
  beforeAll(async () => {
    const { verification } = await readPhotographs([]);
    // The bench takes all of them.
    photographs = verification.slice(0, 4).map(({ raster }) => raster);
  });

  /** Limit as a share of the JPEG's bytes. */
  const SHARE_MAX: Record<string, number> = { webp: 0.85, avif: 0.7, heic: 0.7 };

  test.each(NUMBERS)(
    'at %i have the expected size in each format, at equal visible quality',
    async (quality) => {
      const figures = (format: string) =>
        measureQuality(photographs, (raster) => convertAt(raster, format, quality));
      const jpeg = await figures('jpg');
      for (const format of MODERN) {
        const modern = await figures(format);
        expectOnScale(modern, jpeg, SSIM_GAP_MAX.mean);
        expect(modern.bytes / jpeg.bytes).toBeLessThan(SHARE_MAX[format] as number);
      }
    },
  );
});
