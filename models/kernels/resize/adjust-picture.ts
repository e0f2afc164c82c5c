import type { Picture } from '../../core/runtime/image-codec.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import { orientRaster } from '../raster/orient-raster.ts';
import { type Adjustments, orientedSize, planResize } from './resize-plan.ts';
import type { Size } from './resize-rows.ts';
import { scaleRaster } from './scale-raster.ts';

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
    ...(picture.fileBitDepth !== undefined && { fileBitDepth: picture.fileBitDepth }),
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
