import type { EncodeOptions, Picture } from '../../../models/image-codec.ts';
import { cropRaster, isOpaque } from '../../../models/kernels/crop-raster.ts';
import { assembleStill, type CodedImage } from '../../../models/kernels/heif/assemble-still.ts';
import { splitHevcStill } from '../../../models/kernels/heif/hevc.ts';
import { planTiles, tileRegions } from '../../../models/kernels/heif/tile-plan.ts';
import { firstFrame } from './first-frame.ts';
import { encodeHevcStill } from './libx265.ts';

/** One picture up to HEVC level 6 (ITU-T H.265, table A.8), which every decoder at hand takes; a grid beyond. */
const LIMITS = { pictureSamplesMax: 35_651_584, pictureSideMax: 8192, tileSide: 4096 };

/**
 * Encodes the first frame as HEIC. Alpha becomes an auxiliary picture.
 * @returns the parts of the file in order
 */
export async function encodeHeic(
  picture: Picture,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const frame = await firstFrame(picture);
  const plan = planTiles(frame, LIMITS);
  const regions = tileRegions(plan);
  const hasAlpha = picture.hasAlpha && !isOpaque(frame);
  const tilesTotal = regions.length * (hasAlpha ? 2 : 1);
  let done = 0;
  const code = (kind: 'rgba' | 'alpha'): CodedImage => {
    const tiles = regions.map((region) => {
      options.signal.throwIfAborted();
      const samples = cropRaster(frame, region, kind);
      const stream = encodeHevcStill(
        { width: region.width, height: region.height, samples, kind },
        options.quality,
      );
      options.onProgress?.(++done / tilesTotal);
      return splitHevcStill(stream, kind === 'rgba' ? 1 : 0);
    });
    return { ...plan, tiles };
  };
  return assembleStill({
    width: frame.width,
    height: frame.height,
    coding: 'hvc1',
    colour: code('rgba'),
    alpha: hasAlpha ? code('alpha') : undefined,
    metadata: options.metadata,
  });
}
