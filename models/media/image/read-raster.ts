import type { FrameOptions, Picture } from '../../core/runtime/image-codec.ts';
import type { Raster8 } from '../../core/runtime/raster.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { firstFrame } from '../../kernels/picture/first-frame.ts';
import { toEightBits } from '../../kernels/raster/pixel-format.ts';

type Codecs = Pick<Runtime, 'images' | 'signal'>;

/**
 * Opens an image for `rasterOf`, in sRGB. Its size is known before its samples are read.
 * @throws OperationError `unprocessable` when it is corrupt
 */
export function openImage(input: Blob, { images, signal }: Codecs): Promise<Picture> {
  return images.decode(input, { frames: 'first', colour: 'srgb', signal });
}

/**
 * Reads the first frame of an open image: upright, 8 bits.
 * @throws OperationError `unprocessable` when it is corrupt
 */
export async function rasterOf(picture: Picture, options?: FrameOptions): Promise<Raster8> {
  return toEightBits(await firstFrame(picture, options));
}

/** Reads an image's first frame: upright, sRGB, 8 bits. @throws OperationError `unprocessable` when it is corrupt */
export async function readRaster(input: Blob, codecs: Codecs): Promise<Raster8> {
  return rasterOf(await openImage(input, codecs));
}
