// @module-tag long

import { resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeRaster, encodePng } from '../../lab/quality/server-encoders.ts';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { Raster8 } from '../../models/core/runtime/raster.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { expectOnScale, measureQuality, SSIM_GAP_MAX } from '../support/media/quality.ts';

let page: WorkerPage;
let photograph: Raster8;
beforeAll(async () => {
  page = await openSharedWorkerPage();
  const file = sharp(resolve(import.meta.dirname, '../../public/samples/lemur.jpg')).resize(480);
  photograph = await decodeRaster(new Blob([new Uint8Array(await file.png().toBuffer())]));
});
afterAll(() => page?.stop());

test.each([50, 75, 92])(
  'on the device at %i no format is larger than the JPEG, nor worse',
  async (quality) => {
    const figures = (to_format: string) =>
      measureQuality([photograph], async (raster) => {
        const outcome = await page.convert(await encodePng(raster), { to_format, quality });
        expect(outcome).toMatchObject({ ok: true });
        return new Blob([outcome.bytes]);
      });
    const jpeg = await figures('jpg');
    for (const format of ['webp', 'avif', 'heic']) {
      expectOnScale(await figures(format), jpeg, SSIM_GAP_MAX.alone);
    }
  },
);

test.each(['webp', 'avif', 'heic'])(
  '100 is the best that %s can do, and can be written',
  async (to_format) => {
    const sizes: number[] = [];
    for (const quality of [98, 100]) {
      const outcome = await page.convert(await encodePng(photograph), { to_format, quality });
      expect(outcome).toMatchObject({ ok: true });
      sizes.push(outcome.bytes.length);
    }
    expect(sizes[1]).toBeGreaterThan(sizes[0] as number);
  },
);
