import type { EncodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame } from '../../../core/runtime/raster.ts';
import { firstFrame } from '../../../kernels/picture/first-frame.ts';
import { cropRaster, type Region } from '../../../kernels/raster/crop-raster.ts';
import { isOpaque } from '../../../kernels/raster/pixel-format.ts';
import { IMAGE_ENCODING, toI420 } from '../../../kernels/video/i420.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { assembleStill, type CodedImage } from './assemble-still.ts';
import { splitHevcStill } from './hevc.ts';
import { planTiles, tileRegions } from './tile-plan.ts';

/** Image, or a tile of one, for an HEVC encoder. Both sides are even and at least 64. */
export interface StillSource {
  readonly width: number;
  readonly height: number;
  /** Colours are 4:2:0 planes by BT.601, full range; alpha, one byte per sample, is monochrome. */
  readonly samples: Bytes;
  readonly kind: 'colour' | 'alpha';
}

/**
 * Encodes one HEVC still image.
 * @param constantRateFactor 0 to 51, best first
 * @returns an Annex B stream
 */
export type EncodeHevcStill = (
  source: StillSource,
  constantRateFactor: number,
) => Uint8Array | Promise<Uint8Array>;

/** One image up to HEVC level 6 (ITU-T H.265, table A.8), which every supported decoder accepts; a grid beyond. */
const LIMITS = { pictureSamplesMax: 35_651_584, pictureSideMax: 8192, tileSide: 4096 };

const RATE_FACTOR_MAX = 51;

/**
 * Encodes the first frame as HEIC with the given x265. Alpha becomes an auxiliary image.
 * @param rateFactor of the colours: 0 to 51, best first
 * @returns the parts of the file in order
 */
export async function encodeHeic(
  picture: Picture,
  options: Pick<EncodeOptions, 'quality' | 'metadata' | 'signal' | 'onProgress'>,
  rateFactor: number,
  encodeStill: EncodeHevcStill,
): Promise<Bytes[]> {
  const frame = await firstFrame(picture);
  const plan = planTiles(frame, LIMITS);
  const regions = tileRegions(plan);
  const hasAlpha = picture.hasAlpha && !isOpaque(frame);
  const tilesTotal = regions.length * (hasAlpha ? 2 : 1);
  const rateFactors = { colour: rateFactor, alpha: alphaRateFactor(options.quality) };
  let done = 0;
  const code = async (kind: StillSource['kind']): Promise<CodedImage> => {
    const tiles: CodedImage['tiles'][number][] = [];
    for (const region of regions) {
      options.signal.throwIfAborted();
      const { width, height } = region;
      const stream = await encodeStill(
        { width, height, samples: samplesOf(frame, region, kind), kind },
        rateFactors[kind],
      );
      tiles.push(splitHevcStill(stream, kind === 'colour' ? 1 : 0));
      options.onProgress?.({ fraction: ++done / tilesTotal });
    }
    return { ...plan, tiles };
  };
  return assembleStill({
    width: frame.width,
    height: frame.height,
    coding: 'hvc1',
    colour: await code('colour'),
    alpha: hasAlpha ? await code('alpha') : undefined,
    metadata: options.metadata,
  });
}

/** Our own planes: those of FFmpeg's scaler tint grey by a level or more. */
function samplesOf(frame: Frame, region: Region, kind: StillSource['kind']): Bytes {
  if (kind === 'alpha') return cropRaster(frame, region, 'alpha');
  const { width, height } = region;
  return toI420({ width, height, data: cropRaster(frame, region, 'rgba') }, IMAGE_ENCODING);
}

/**
 * Returns the rate factor of alpha. Edges in alpha are more visible than noise in colours, and cost few bytes: one
 * point of the factor for two of quality.
 */
function alphaRateFactor(quality: number): number {
  return Math.min(RATE_FACTOR_MAX, Math.round((100 - quality) / 2));
}
