import type { Picture } from '../../core/runtime/image-codec.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import { type Orientation, orientRaster } from '../raster/orient-raster.ts';
import type { Size } from './resize-rows.ts';
import { scaleRaster } from './scale-raster.ts';

/** Size that an image should get. */
export type Resizing =
  | { readonly by: 'percent'; readonly percent: number }
  | {
      readonly by: 'pixels';
      /** At least one of them; the other then follows from the shape. */
      readonly width?: number;
      readonly height?: number;
      /** With both: `inside` keeps the shape within them, `cover` cuts off what is beyond, `stretch` distorts. */
      readonly fit: 'inside' | 'cover' | 'stretch';
    };

/** Changes to an image's geometry: it is turned and mirrored first, then resized. */
export interface Adjustments {
  readonly orientation?: Orientation;
  readonly resizing?: Resizing;
}

/** Sizes of a resized image, in pixels: that of the whole one, and that of the part which stays, around its centre. */
export interface ResizePlan {
  readonly scaled: Size;
  readonly kept: Size;
}

/** Limit on a side of a resized image, and on its pixels. */
export const SIDE_MAX = 16_384;
export const PIXELS_MAX = 100_000_000;

/** Returns the size of an image after its turn. */
export function orientedSize({ width, height }: Size, orientation: Orientation | undefined): Size {
  return (orientation?.quarterTurns ?? 0) % 2 === 1 ? { width: height, height: width } : { width, height };
}

/** Computes the sizes of a resized image, each side at least 1 and at most SIDE_MAX, with at most PIXELS_MAX. */
export function planResize(size: Size, resizing: Resizing | undefined): ResizePlan {
  if (!resizing) return { scaled: size, kept: size };
  if (resizing.by === 'percent') return whole(scaledBy(size, resizing.percent / 100));
  const { width, height, fit } = resizing;
  const across = width === undefined ? undefined : width / size.width;
  const down = height === undefined ? undefined : height / size.height;
  if (across === undefined || down === undefined) return whole(scaledBy(size, across ?? down ?? 1));
  if (fit === 'inside') return whole(scaledBy(size, Math.min(across, down)));
  const box = bounded({ width: width ?? 1, height: height ?? 1 });
  if (fit === 'stretch') return whole(box);
  const scaled = scaledBy(size, Math.max(box.width / size.width, box.height / size.height));
  return {
    scaled,
    kept: { width: Math.min(box.width, scaled.width), height: Math.min(box.height, scaled.height) },
  };
}

function whole(size: Size): ResizePlan {
  return { scaled: size, kept: size };
}

function scaledBy({ width, height }: Size, factor: number): Size {
  return bounded({ width: width * factor, height: height * factor });
}

/** Rounds a size, and makes one that is too large smaller in its shape. */
function bounded({ width, height }: Size): Size {
  const excess = Math.max(1, width / SIDE_MAX, height / SIDE_MAX, Math.sqrt((width * height) / PIXELS_MAX));
  const side = (length: number) => Math.max(1, Math.round(length / excess));
  return { width: side(width), height: side(height) };
}

/** Returns an image with all frames turned, mirrored and resized. Its frames can be read once, as the original's. */
export function adjustPicture(picture: Picture, { orientation, resizing }: Adjustments): Picture {
  const turned = orientedSize(picture, orientation);
  const { scaled, kept } = planResize(turned, resizing);
  const adjust = (raster: Raster): Raster => {
    const upright = orientation ? orientRaster(raster, orientation) : raster;
    return cutToCentre(scaleRaster(upright, scaled.width, scaled.height), kept);
  };
  return {
    width: kept.width,
    height: kept.height,
    frameCount: picture.frameCount,
    loopCount: picture.loopCount,
    hasAlpha: picture.hasAlpha,
    bitDepth: picture.bitDepth,
    metadata: picture.metadata,
    ...(picture.warnings && { warnings: picture.warnings }),
    async *frames() {
      for await (const frame of picture.frames()) yield { ...adjust(frame), durationMs: frame.durationMs };
    },
  };
}

function cutToCentre(raster: Raster, { width, height }: Size): Raster {
  if (raster.width === width && raster.height === height) return raster;
  const left = Math.floor((raster.width - width) / 2);
  const top = Math.floor((raster.height - height) / 2);
  const data =
    raster.data instanceof Uint16Array
      ? new Uint16Array(width * height * 4)
      : new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * raster.width + left) * 4;
    data.set(raster.data.subarray(from, from + width * 4), y * width * 4);
  }
  return { width, height, data };
}
