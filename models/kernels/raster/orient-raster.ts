import type { FloatImage, ImageSize, Raster, Raster8 } from '../../core/runtime/raster.ts';

export interface Orientation {
  /** Clockwise. */
  readonly quarterTurns: 0 | 1 | 2 | 3;
  /** Left to right, after the turn. */
  readonly isMirrored: boolean;
}

export function isUpright({ quarterTurns, isMirrored }: Orientation): boolean {
  return quarterTurns === 0 && !isMirrored;
}

/** Returns the size of a raster once it is rotated. */
export function orientedSize({ width, height }: ImageSize, { quarterTurns }: Orientation): ImageSize {
  return quarterTurns % 2 === 1 ? { width: height, height: width } : { width, height };
}

/** Rotates, then mirrors a raster. */
export function orientRaster(raster: Raster8, orientation: Orientation): Raster8;
export function orientRaster(raster: Raster, orientation: Orientation): Raster;
export function orientRaster(raster: Raster, orientation: Orientation): Raster {
  if (isUpright(orientation)) return raster;
  const { data } = raster;
  const { width, height } = orientedSize(raster, orientation);
  const { origin, stepX, stepY } = walk(raster, orientation);
  const turned = data.slice();
  let to = 0;
  for (let y = 0; y < height; y++) {
    let from = (origin + y * stepY) * 4;
    for (let x = 0; x < width; x++) {
      turned[to] = data[from];
      turned[to + 1] = data[from + 1];
      turned[to + 2] = data[from + 2];
      turned[to + 3] = data[from + 3];
      from += stepX * 4;
      to += 4;
    }
  }
  return { width, height, data: turned };
}

/**
 * Returns the source of the rotated image's first pixel, and the distance to the pixels right of and below it, in
 * pixels.
 */
function walk(
  { width, height }: Raster,
  { quarterTurns, isMirrored }: Orientation,
): { origin: number; stepX: number; stepY: number } {
  const [origin, stepX, stepY, last] = (
    [
      [0, 1, width, width - 1],
      [(height - 1) * width, -width, 1, height - 1],
      [width * height - 1, -1, -width, width - 1],
      [width - 1, width, -1, height - 1],
    ] as const
  )[quarterTurns];
  return isMirrored ? { origin: origin + last * stepX, stepX: -stepX, stepY } : { origin, stepX, stepY };
}

/** Mirrors an image left to right. */
export function mirrorImage({ width, height, channels, data }: FloatImage): FloatImage {
  const mirrored = new Float32Array(data.length);
  const length = width * channels;
  for (let start = 0; start < data.length; start += length) {
    for (let from = start, to = start + length - channels; from < start + length; to -= 2 * channels) {
      for (let channel = 0; channel < channels; channel++) mirrored[to++] = data[from++];
    }
  }
  return { width, height, channels, data: mirrored };
}
