import type { EncodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import { cropRaster } from '../../../kernels/raster/crop.ts';
import { firstFrame } from '../../../kernels/raster/picture.ts';
import { isOpaque } from '../../../kernels/raster/pixel-format.ts';
import { assembleStill, type CodedTile, planTiles, tileRegions } from '../heif/assemble-still.ts';
import { readHeifItems } from '../heif/read-meta.ts';
import type { Libvips } from './libvips.ts';
import { decodingError } from './libvips-picture.ts';
import { planWriting } from './plan-writing.ts';

/** libaom holds about 45 bytes per sample of an image, so a large one is coded in tiles. */
const LIMITS = { pictureSamplesMax: 4096 * 4096, pictureSideMax: 16_384, tileSide: 2048 };

/** Reports whether an image should be coded as a grid. */
export function needsGrid(picture: Picture): boolean {
  const { columns, rows } = planTiles(picture, LIMITS);
  return columns * rows > 1;
}

/**
 * Encodes the first frame as an AVIF grid.
 * @param options with libvips' own quality for AVIF, a whole number
 * @returns the parts of the file in order
 * @throws OperationError `unprocessable`
 */
export async function encodeAvifGrid(
  picture: Picture,
  options: EncodeOptions,
  libvips: Libvips,
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
    const data = cropRaster(frame, region, 'rgba');
    const file = await libvips
      .render({
        source: { kind: 'samples', width, height, pageHeight: height, data },
        alpha: hasAlpha ? 'kept' : 'dropped',
        depth: 8,
        // The fastest effort: four times as fast as that for smaller images, for an eighth more bytes.
        write: planWriting('avif', { quality: options.quality, isLarge: true }),
      })
      .catch(decodingError);
    const [main, auxiliary] = codedTiles(file);
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
