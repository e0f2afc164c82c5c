import type { DecodeOptions } from '../../../models/core/runtime/image-codec.ts';
import { readBmp } from '../../../models/media/image/bmp/read-bmp.ts';
import { openSamples } from './open-samples.ts';
import type { SharpPicture } from './sharp-picture.ts';

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
export function openBmp(input: Uint8Array<ArrayBuffer>, options: DecodeOptions): SharpPicture {
  const { width, height, hasAlpha, icc, data } = readBmp(input);
  return openSamples(
    { width, height, channels: 4, hasAlpha, metadata: icc ? { icc } : {} },
    options,
    (samples) => samples.set(data),
  );
}
