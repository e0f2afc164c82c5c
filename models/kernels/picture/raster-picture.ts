import type { ImageMetadata, Picture } from '../../core/runtime/image-codec.ts';
import type { Raster } from '../../core/runtime/raster.ts';

/** Wraps one raster as an image. */
export function getPicture(
  raster: Raster,
  facts: { readonly hasAlpha: boolean; readonly metadata: ImageMetadata },
): Picture {
  return {
    ...facts,
    width: raster.width,
    height: raster.height,
    frameCount: 1,
    loopCount: 0,
    bitDepth: raster.data instanceof Uint16Array ? 16 : 8,
    async *frames() {
      yield { ...raster, durationMs: 0 };
    },
  };
}
