import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Raster } from '../../../models/core/runtime/raster.ts';
import { extractRegion, scaleRegion } from '../../../models/kernels/raster/crop.ts';
import { enlargeRegion } from '../../../models/operations/upscale/enlarge-region.ts';
import { BEST_UPSCALER } from '../../../models/operations/upscale/upscalers.ts';
import { createUpscaleInference } from '../../support/models/upscale.ts';

const { signal } = new AbortController();

/** Noise, in which a pixel that sees too little of its surroundings shows. */
async function noise(width: number, height: number): Promise<Raster> {
  const image = sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
  const { data } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width, height, data: new Uint8Array(data) };
}

test.each([
  { ids: ['darkroom'], scale: 2 as const },
  { ids: ['darkroom'], scale: 8 as const },
  { ids: ['darkroom-fast'], scale: 4 as const },
])('a region is enlarged as it is within the whole, by $ids $scale times', async ({ ids, scale }) => {
  const still = { raster: await noise(150, 131), hasAlpha: false, warnings: [] };
  const params = { model: BEST_UPSCALER, scale };
  const inference = createUpscaleInference(ids);
  const options = { inference, signal, isFast: false, onProgress: () => {} };
  const whole = await enlargeRegion(still, { left: 0, top: 0, width: 150, height: 131 }, params, options);
  const regions = [
    { left: 61, top: 47, width: 31, height: 18 },
    { left: 0, top: 100, width: 40, height: 31 },
    { left: 149, top: 0, width: 1, height: 1 },
  ];
  for (const region of regions) {
    const { raster, engine, ...times } = await enlargeRegion(still, region, params, options);
    expect(engine).toBe(`${ids[0]} on cpu`);
    const expected = extractRegion(whole.raster, scaleRegion(region, scale));
    expect([raster.width, raster.height]).toEqual([region.width * scale, region.height * scale]);
    let most = 0;
    for (const [at, value] of raster.data.entries()) {
      most = Math.max(most, Math.abs(value - (expected.data[at] as number)));
    }
    expect(most).toBeLessThanOrEqual(1);
    expect(times.wholeSeconds).toBeGreaterThan(times.seconds);
  }
});

test('a run that is cancelled ends', async () => {
  const still = { raster: await noise(20, 20), hasAlpha: false, warnings: [] };
  const region = { left: 0, top: 0, width: 10, height: 10 };
  const running = enlargeRegion(
    still,
    region,
    { model: BEST_UPSCALER, scale: 2 },
    {
      inference: createUpscaleInference(['darkroom']),
      signal: AbortSignal.abort(),
      isFast: false,
      onProgress: () => {},
    },
  );
  await expect(running).rejects.toThrow();
});
