import type { EncodeOptions, Picture } from '../../image-codec.ts';
import type { Bytes } from '../byte-writer.ts';
import { cropRaster } from '../crop-raster.ts';
import { firstFrame } from '../first-frame.ts';
import { isOpaque } from '../opaque.ts';
import { assembleStill, type CodedImage } from './assemble-still.ts';
import { splitHevcStill } from './hevc.ts';
import { planTiles, tileRegions } from './tile-plan.ts';

/** A picture, or a tile of one, for an HEVC encoder. Both sides are even and at least 64. */
export interface StillSource {
  readonly width: number;
  readonly height: number;
  /** RGBA becomes 4:2:0 by BT.601, full range; alpha, one byte a sample, stays monochrome. */
  readonly samples: Bytes;
  readonly kind: 'rgba' | 'alpha';
}

/**
 * Encodes one HEVC still picture.
 * @param constantRateFactor 0 to 51, best first
 * @returns an Annex B stream
 */
export type EncodeHevcStill = (
  source: StillSource,
  constantRateFactor: number,
) => Uint8Array | Promise<Uint8Array>;

/** One picture up to HEVC level 6 (ITU-T H.265, table A.8), which every decoder at hand takes; a grid beyond. */
const LIMITS = { pictureSamplesMax: 35_651_584, pictureSideMax: 8192, tileSide: 4096 };

const RATE_FACTOR_MAX = 51;

/**
 * Encodes the first frame as HEIC with the x265 at hand. Alpha becomes an auxiliary picture.
 * @returns the parts of the file in order
 */
export async function encodeHeic(
  picture: Picture,
  options: EncodeOptions,
  encodeStill: EncodeHevcStill,
): Promise<Bytes[]> {
  const frame = await firstFrame(picture);
  const plan = planTiles(frame, LIMITS);
  const regions = tileRegions(plan);
  const hasAlpha = picture.hasAlpha && !isOpaque(frame);
  const tilesTotal = regions.length * (hasAlpha ? 2 : 1);
  // One point of the rate factor for two of quality.
  const rateFactor = Math.min(RATE_FACTOR_MAX, Math.round((100 - options.quality) / 2));
  let done = 0;
  const code = async (kind: StillSource['kind']): Promise<CodedImage> => {
    const tiles: CodedImage['tiles'][number][] = [];
    for (const region of regions) {
      options.signal.throwIfAborted();
      const { width, height } = region;
      const stream = await encodeStill(
        { width, height, samples: cropRaster(frame, region, kind), kind },
        rateFactor,
      );
      tiles.push(splitHevcStill(stream, kind === 'rgba' ? 1 : 0));
      options.onProgress?.(++done / tilesTotal);
    }
    return { ...plan, tiles };
  };
  return assembleStill({
    width: frame.width,
    height: frame.height,
    coding: 'hvc1',
    colour: await code('rgba'),
    alpha: hasAlpha ? await code('alpha') : undefined,
    metadata: options.metadata,
  });
}
