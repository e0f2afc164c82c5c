import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { firstFrame } from '../../../models/kernels/raster/picture.ts';
import { readOrientation } from '../../../models/media/image/metadata.ts';
import { openPngAnimation } from '../../../models/media/image/png/open-animation.ts';
import { openColoured } from './open-coloured.ts';

/**
 * Opens a PNG, with the frames of an animated one if all are wanted.
 * @throws OperationError `unprocessable`
 */
export async function openPng(input: Uint8Array<ArrayBuffer>, options: DecodeOptions): Promise<Picture> {
  const still = await openColoured(input, 'png', options);
  if (options.frames === 'first') return still;
  return openPngAnimation(input, still, {
    orientation: await readOrientation(input, 'png'),
    decodeStill: async (file) => firstFrame(await openColoured(file, 'png', { ...options, frames: 'first' })),
    signal: options.signal,
  });
}
