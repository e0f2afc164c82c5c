import type { EncodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame, PixelRegion } from '../../../core/runtime/raster.ts';
import { IMAGE_ENCODING, toI420 } from '../../../kernels/colour/i420.ts';
import { cropRaster } from '../../../kernels/raster/crop.ts';
import { firstFrame } from '../../../kernels/raster/picture.ts';
import { isOpaque } from '../../../kernels/raster/pixel-format.ts';
import { withoutEmulationPrevention } from '../../bytes/bit-reader.ts';
import { type Bytes, box, concat, u8, u16, u32 } from '../../bytes/byte-writer.ts';
import { assembleStill, type CodedImage, type CodedTile, planTiles, tileRegions } from './assemble-still.ts';

const VPS = 32;

const SPS = 33;

const PPS = 34;

/** NAL unit types below this one hold slices: ITU-T H.265, table 7-1. */
const SLICE_TYPES_END = 32;

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
        { width, height, samples: getSamples(frame, region, kind), kind },
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
function getSamples(frame: Frame, region: PixelRegion, kind: StillSource['kind']): Bytes {
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

/**
 * Splits an Annex B byte stream (ITU-T H.265) into decoder configuration and slices.
 * @param chromaFormat 1 for 4:2:0, 0 for monochrome; samples have 8 bits
 * @returns the `hvcC` box (ISO 14496-15, 8.3.2), and the slices, each prefixed with its length in 4 bytes
 * @throws RangeError when a parameter set or the slice is missing
 */
export function splitHevcStill(stream: Uint8Array, chromaFormat: 0 | 1): CodedTile {
  const units = nalUnits(stream);
  const sets = [VPS, SPS, PPS].map((type) => units.filter((unit) => nalType(unit) === type));
  const slices = units.filter((unit) => nalType(unit) < SLICE_TYPES_END);
  const sps = sets[1]?.[0];
  if (!sps || !slices.length || sets.some((set) => !set.length))
    throw new RangeError('not a complete HEVC image');
  const arrays = sets.flatMap((set, index) => [
    u8(0x80 | (VPS + index)),
    u16(set.length),
    ...set.flatMap((unit) => [u16(unit.length), unit]),
  ]);
  const configuration = box(
    'hvcC',
    u8(1),
    // general_profile_space to general_level_idc have the same layout in the SPS: H.265, 7.3.2.2 and 7.3.3.
    withoutEmulationPrevention(sps.subarray(0, 32)).subarray(3, 15),
    u16(0xf000), // min_spatial_segmentation_idc
    u8(0xfc, 0xfc | chromaFormat, 0xf8, 0xf8), // parallelism, chroma format, bit depths less 8
    u16(0),
    u8(0b0000_1111, sets.length), // one nested temporal layer, lengths of 4 bytes
    ...arrays,
  );
  return { configuration, data: concat(slices.flatMap((slice) => [u32(slice.length), slice])) };
}

function nalType(unit: Uint8Array): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f;
}

/** Iterates over the units between start codes 00 00 01; zeros before a start code belong to none. */
function nalUnits(stream: Uint8Array): Uint8Array[] {
  const starts: number[] = [];
  for (let at = stream.indexOf(1); at >= 0; at = stream.indexOf(1, at + 1)) {
    if (at >= 2 && stream[at - 1] === 0 && stream[at - 2] === 0) starts.push(at + 1);
  }
  return starts.map((start, index) => {
    let end = (starts[index + 1] ?? stream.length + 3) - 3;
    while (end > start && stream[end - 1] === 0) end--;
    return stream.subarray(start, end);
  });
}
