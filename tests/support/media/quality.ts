import { expect } from 'vitest';
import { decodeRaster } from '../../../lab/quality/server-encoders.ts';
import { lumaOf, structuralSimilarity } from '../../../lab/quality/ssim.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';

/** Bytes and SSIM of one format, as means over photographs. */
export interface QualityMeasures {
  readonly bytes: number;
  readonly similarity: number;
}

export async function measureQuality(
  photographs: readonly Raster8[],
  convert: (raster: Raster8) => Promise<Blob>,
): Promise<QualityMeasures> {
  let [bytes, similarity] = [0, 0];
  for (const raster of photographs) {
    const file = await convert(raster);
    bytes += file.size / photographs.length;
    const decoded = lumaOf(await decodeRaster(file));
    similarity += structuralSimilarity(lumaOf(raster), decoded) / photographs.length;
  }
  return { bytes, similarity };
}

/** Largest SSIM gap below the JPEG: as a mean over photographs, and for a single one. */
export const SSIM_GAP_MAX = { mean: 0.004, alone: 0.015 };

/**
 * Checks that a quality number means the same in all formats: no modern format is larger than the JPEG, nor visibly
 * worse.
 */
export function expectOnScale(modern: QualityMeasures, jpeg: QualityMeasures, gapMax: number): void {
  expect(modern.bytes).toBeLessThanOrEqual(jpeg.bytes);
  expect(modern.similarity).toBeGreaterThanOrEqual(jpeg.similarity - gapMax);
}
