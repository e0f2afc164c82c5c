import type { EncodeOptions, Picture } from '../../../models/image-codec.ts';
import { cropRaster } from '../../../models/kernels/crop-raster.ts';
import { assembleHeic, type CodedImage } from '../../../models/kernels/heif/assemble-heic.ts';
import type { Raster } from '../../../models/raster.ts';
import { firstFrame } from './first-frame.ts';
import { encodeHevcStill } from './libx265.ts';

/** One picture up to HEVC level 6 (ITU-T H.265, table A.8), which every decoder at hand takes; a grid beyond. */
const PICTURE_SAMPLES_MAX = 35_651_584;
const PICTURE_SIDE_MAX = 8192;
const TILE_SIDE = 4096;
const SIDE_MIN = 64;

/** Encodes the first frame as HEIC. Alpha becomes an auxiliary picture. */
export async function encodeHeic(picture: Picture, options: EncodeOptions): Promise<Blob> {
  const frame = await firstFrame(picture);
  const plan = planTiles(frame);
  const codings = picture.hasAlpha ? (['rgba', 'alpha'] as const) : (['rgba'] as const);
  const tilesTotal = plan.columns * plan.rows * codings.length;
  let done = 0;
  const [colour, alpha] = codings.map((channels): CodedImage => {
    const tiles = tileOrigins(plan).map(({ left, top }) => {
      options.signal.throwIfAborted();
      const { tileWidth: width, tileHeight: height } = plan;
      const samples = cropRaster(frame, { left, top, width, height }, channels);
      const kind = channels === 'rgba' ? 'rgba' : 'grey';
      const tile = encodeHevcStill({ width, height, samples, kind }, options.quality);
      options.onProgress?.(++done / tilesTotal);
      return tile;
    });
    return { ...plan, tiles };
  });
  if (!colour) throw new RangeError('nothing was coded');
  const { width, height } = frame;
  const { metadata } = options;
  return new Blob(assembleHeic({ width, height, colour, ...(alpha ? { alpha } : {}), metadata }), {
    type: 'image/heic',
  });
}

type TilePlan = Omit<CodedImage, 'tiles'>;

function planTiles({ width, height }: Raster): TilePlan {
  const evenSide = (side: number) => Math.max(SIDE_MIN, side + (side % 2));
  if (width * height <= PICTURE_SAMPLES_MAX && Math.max(width, height) <= PICTURE_SIDE_MAX) {
    return { tileWidth: evenSide(width), tileHeight: evenSide(height), columns: 1, rows: 1 };
  }
  const tileWidth = Math.min(TILE_SIDE, evenSide(width));
  const tileHeight = Math.min(TILE_SIDE, evenSide(height));
  return {
    tileWidth,
    tileHeight,
    columns: Math.ceil(width / tileWidth),
    rows: Math.ceil(height / tileHeight),
  };
}

function tileOrigins({ tileWidth, tileHeight, columns, rows }: TilePlan): { left: number; top: number }[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    left: (index % columns) * tileWidth,
    top: Math.floor(index / columns) * tileHeight,
  }));
}
