import type { ImageSize, Raster, Raster8, Rgba } from '../../core/runtime/raster.ts';
import { LineSampler, lerp } from '../../kernels/raster/line-sampler.ts';
import { isOpaque } from '../../kernels/raster/pixel-format.ts';
import { colourRows, fitWithin, resizeColours } from '../../kernels/raster/resize.ts';

/** Background of a cutout, made row by row. */
export interface Backdrop {
  /** Writes row `y`: red, green, blue, alpha per pixel, 0 to 1, not premultiplied. */
  paint(y: number, row: Float32Array): void;
}

export function solidBackdrop([red, green, blue, alpha]: Rgba): Backdrop {
  return {
    paint(_y, row) {
      for (let at = 0; at < row.length; at += 4) {
        row[at] = red;
        row[at + 1] = green;
        row[at + 2] = blue;
        row[at + 3] = alpha;
      }
    },
  };
}

/** Longest side of the stored backdrop image in pixels; larger output is interpolated. */
const SIDE_MAX = 4096;

/** Part of an image that a backdrop shows. */
export interface BackdropPosition {
  /** Share of what overhangs the width that is cut off on the left, 0 to 1. */
  readonly x: number;
  /** Share of what overhangs the height that is cut off at the top, 0 to 1. */
  readonly y: number;
  /** Size relative to the smallest one that covers the whole, at least 1. */
  readonly scale: number;
}

/** The middle of an image, as much of it as can be shown. */
export const CENTRED: BackdropPosition = { x: 0.5, y: 0.5, scale: 1 };

/** Returns the size at which an image covers `width` x `height`, enlarged by `zoom`. */
export function coveringSize(image: ImageSize, width: number, height: number, zoom: number): ImageSize {
  const scale = zoom * Math.max(width / image.width, height / image.height);
  return {
    width: Math.max(width, Math.round(image.width * scale)),
    height: Math.max(height, Math.round(image.height * scale)),
  };
}

/**
 * Returns the longest side in pixels that `imageBackdrop` makes use of in an image.
 * @param zoom the scale of its position
 */
export function backdropSideMax(image: ImageSize, width: number, height: number, zoom = 1): number {
  const held = fitWithin(coveringSize(image, width, height, zoom), SIDE_MAX);
  return Math.max(held.width, held.height);
}

/**
 * Crops an image that is scaled to cover `width` x `height`. Transparent pixels become white.
 * @param position part that is shown; the centre by default
 */
export function imageBackdrop(
  picture: Raster,
  width: number,
  height: number,
  position: BackdropPosition = CENTRED,
): Backdrop {
  const scaled = coveringSize(picture, width, height, position.scale);
  const held = fitWithin(scaled, SIDE_MAX);
  const image = opaqueRaster(picture, held.width, held.height);
  const left = Math.floor((scaled.width - width) * position.x);
  const top = Math.floor((scaled.height - height) * position.y);
  const sampler = new LineSampler({ ...image, channels: 4 }, scaled.width, scaled.height, { left, width });
  return sampledBackdrop(sampler, { top, width, channels: 4, most: 255 });
}

/** Resizes a raster to 8 bits; transparent pixels are mixed with white. A raster that needs no change is not copied. */
function opaqueRaster(raster: Raster, width: number, height: number): Raster8 {
  const { data } = raster;
  const isSized = raster.width === width && raster.height === height;
  if (isSized && data instanceof Uint8Array && isOpaque(raster)) return { width, height, data };
  const bytes = new Uint8Array(width * height * 4).fill(255);
  const colours = colourRows(raster, width, height);
  const row = new Float32Array(width * 3);
  for (let y = 0, at = 0; y < height; y++) {
    colours.read(y, row);
    for (let from = 0; from < row.length; from += 3, at += 4) {
      bytes[at] = Math.round(row[from] * 255);
      bytes[at + 1] = Math.round(row[from + 1] * 255);
      bytes[at + 2] = Math.round(row[from + 2] * 255);
    }
  }
  return { width, height, data: bytes };
}

/** Enlarges a small image of the same shape line by line: smooth enough for content without edges. */
export function smoothBackdrop(picture: Raster, width: number, height: number): Backdrop {
  const image = resizeColours(picture, picture.width, picture.height);
  const sampler = new LineSampler(image, width, height);
  return sampledBackdrop(sampler, { top: 0, width, channels: 3, most: 1 });
}

/** Part of a sampler's output that a backdrop shows. */
interface Shown {
  readonly top: number;
  readonly width: number;
  readonly channels: 3 | 4;
  /** Value of a full sample. */
  readonly most: 1 | 255;
}

function sampledBackdrop(sampler: LineSampler, { top, width, channels, most }: Shown): Backdrop {
  return {
    paint(y, row) {
      sampler.seek(top + y);
      const { line } = sampler;
      for (let x = 0, at = 0; x < width; x++, at += 4) {
        const from = sampler.left[x];
        const share = sampler.share[x];
        row[at] = lerp(line, from, channels, share) / most;
        row[at + 1] = lerp(line, from + 1, channels, share) / most;
        row[at + 2] = lerp(line, from + 2, channels, share) / most;
        row[at + 3] = 1;
      }
    },
  };
}
