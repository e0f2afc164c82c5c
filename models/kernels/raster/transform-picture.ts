import type { Picture } from '../../core/runtime/image-codec.ts';
import type { Geometry, ImageSize, PixelRegion, Raster, Rgba } from '../../core/runtime/raster.ts';
import { extractRegion, pasteRaster } from './crop.ts';
import { orientRaster } from './orient-raster.ts';
import { getFacts, type PictureFacts } from './picture.ts';

/** Resizes a raster to a size, with as many bits. */
export type ScaleRaster = (raster: Raster, size: ImageSize) => Raster | Promise<Raster>;

/** Describes an image after a change of its geometry. */
export function transformedFacts(
  picture: Picture,
  { canvas, kept, pad, background }: Geometry,
): PictureFacts {
  const { width, height } = canvas;
  const isPadded = width > kept.width || height > kept.height;
  const isFilled = background?.[3] === 1;
  const hasAlpha = (picture.hasAlpha && !isFilled) || (isPadded && pad[3] < 1);
  return { ...getFacts(picture), width, height, hasAlpha };
}

/** Changes the geometry of an image frame by frame, as the frames are read. */
export function transformPicture(picture: Picture, geometry: Geometry, scale: ScaleRaster): Picture {
  return {
    ...transformedFacts(picture, geometry),
    async *frames() {
      for await (const { durationMs, ...frame } of picture.frames())
        yield { ...(await transformRaster(frame, geometry, scale)), durationMs };
    },
  };
}

/** Returns the geometry that only scales. */
export function scalingGeometry(scaled: ImageSize): Geometry {
  const whole = { left: 0, top: 0, width: scaled.width, height: scaled.height };
  return {
    crop: null,
    orientation: { quarterTurns: 0, isMirrored: false },
    scaled,
    kept: whole,
    canvas: whole,
    pad: [0, 0, 0, 0],
    background: null,
  };
}

async function transformRaster(raster: Raster, geometry: Geometry, scale: ScaleRaster): Promise<Raster> {
  const { crop, orientation, scaled, kept, canvas, pad, background } = geometry;
  const cropped = crop ? extractRegion(raster, crop) : raster;
  const turned = orientRaster(cropped, orientation);
  const resized = isSameSize(turned, scaled) ? turned : await scale(turned, scaled);
  const cut = isWhole(kept, scaled) ? resized : extractRegion(resized, kept);
  if (background) paintUnder(cut, background);
  if (isSameSize(canvas, cut)) return cut;
  return placeOnCanvas(cut, canvas, pad);
}

function isSameSize(one: ImageSize, other: ImageSize): boolean {
  return one.width === other.width && one.height === other.height;
}

export function isWhole(region: PixelRegion, size: ImageSize): boolean {
  return region.left === 0 && region.top === 0 && isSameSize(region, size);
}

/** Paints a colour under a raster, in place: source-over of premultiplied samples (Porter and Duff, 1984). */
function paintUnder({ data }: Raster, colour: Rgba): void {
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const under = colour[3];
  if (under === 0) return;
  for (let at = 0; at < data.length; at += 4) {
    const over = data[at + 3] / most;
    if (over === 1) continue;
    const shown = (1 - over) * under;
    const alpha = over + shown;
    for (let channel = 0; channel < 3; channel++) {
      const mixed = (data[at + channel] * over + (colour[channel] ?? 0) * most * shown) / alpha;
      data[at + channel] = Math.round(mixed);
    }
    data[at + 3] = Math.round(alpha * most);
  }
}

function placeOnCanvas(raster: Raster, canvas: Geometry['canvas'], pad: Rgba): Raster {
  const { width, height } = canvas;
  const is16Bit = raster.data instanceof Uint16Array;
  const data = is16Bit ? new Uint16Array(width * height * 4) : new Uint8Array(width * height * 4);
  const pixel = pad.map((part) => Math.round(part * (is16Bit ? 0xffff : 0xff)));
  for (let at = 0; at < width * 4; at += 4) data.set(pixel, at);
  for (let y = 1; y < height; y++) data.copyWithin(y * width * 4, 0, width * 4);
  const placed = { width, height, data };
  pasteRaster(placed, raster, canvas);
  return placed;
}
