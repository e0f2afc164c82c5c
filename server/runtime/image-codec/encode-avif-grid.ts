import sharp from 'sharp';
import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { cropRaster } from '../../../models/kernels/raster/crop.ts';
import { firstFrame } from '../../../models/kernels/raster/picture.ts';
import { isOpaque } from '../../../models/kernels/raster/pixel-format.ts';
import {
  assembleStill,
  type CodedTile,
  planTiles,
  tileRegions,
} from '../../../models/media/image/heif/assemble-still.ts';
import { readHeifItems } from '../../../models/media/image/heif/read-meta.ts';
import { decodingError } from './sharp-errors.ts';

/** libaom holds about 45 bytes per sample of an image, so a large one is coded in tiles. */
const LIMITS = { pictureSamplesMax: 4096 * 4096, pictureSideMax: 16_384, tileSide: 2048 };

/** The fastest: four times as fast as the effort for smaller images, for an eighth more bytes. */
const EFFORT = 0;

/** Reports whether an image should be coded as a grid. */
export function needsGrid(picture: Picture): boolean {
  const { columns, rows } = planTiles(picture, LIMITS);
  return columns * rows > 1;
}

/**
 * Encodes the first frame as an AVIF grid.
 * @param options with sharp's own quality for AVIF, a whole number
 * @returns the parts of the file in order
 * @throws OperationError `unprocessable`
 */
export async function encodeAvifGrid(
  picture: Picture,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const frame = await firstFrame(picture);
  const plan = planTiles(frame, LIMITS);
  const regions = tileRegions(plan);
  const hasAlpha = picture.hasAlpha && !isOpaque(frame);
  const colour: CodedTile[] = [];
  const alpha: CodedTile[] = [];
  for (const region of regions) {
    options.signal.throwIfAborted();
    const { width, height } = region;
    const raw = sharp(cropRaster(frame, region, 'rgba'), { raw: { width, height, channels: 4 } });
    const shaped = hasAlpha ? raw : raw.removeAlpha();
    const file = await shaped
      .avif({ quality: options.quality, effort: EFFORT })
      .toBuffer()
      .catch(decodingError);
    const [main, auxiliary] = codedTiles(new Uint8Array(file));
    if (main) colour.push(main);
    if (auxiliary) alpha.push(auxiliary);
    options.onProgress?.({ fraction: colour.length / regions.length });
  }
  return assembleStill({
    width: frame.width,
    height: frame.height,
    coding: 'av01',
    colour: { ...plan, tiles: colour },
    alpha: alpha.length ? { ...plan, tiles: alpha } : undefined,
    metadata: options.metadata,
  });
}

function codedTiles(file: Uint8Array<ArrayBuffer>): CodedTile[] {
  return readHeifItems(file).flatMap(({ type, data, properties = [] }) => {
    const configuration = properties.find(
      ({ box }) => String.fromCharCode(...box.subarray(4, 8)) === 'av1C',
    )?.box;
    return type === 'av01' && configuration ? [{ configuration, data }] : [];
  });
}
