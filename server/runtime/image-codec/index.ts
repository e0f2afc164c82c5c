import sharp from 'sharp';
import { OperationError } from '../../../models/errors.ts';
import type { DecodeOptions, EncodeOptions, ImageCodec, Picture } from '../../../models/image-codec.ts';
import { writeBmp } from '../../../models/kernels/bmp/write-bmp.ts';
import { flatten } from '../../../models/kernels/flatten.ts';
import { imageFormatOf } from '../../../models/kernels/image-header.ts';
import { openBmp } from './decode-bmp.ts';
import { openHeic } from './decode-heic.ts';
import { encodeHeic } from './encode-heic.ts';
import { encodeWithSharp } from './encode-with-sharp.ts';
import { firstFrame } from './first-frame.ts';
import { openWithSharp } from './sharp-picture.ts';

/** Images in Node: sharp (libvips) for most, libheif and libx265 for HEIC, our own kernels for BMP. */
export function createImageCodec(): ImageCodec {
  // A run reads each image once: what libvips would keep is only held memory.
  sharp.cache(false);
  return { decode, encode };
}

async function decode(input: Blob, options: DecodeOptions): Promise<Picture> {
  options.signal.throwIfAborted();
  const bytes = new Uint8Array(await input.arrayBuffer());
  switch (imageFormatOf(bytes)) {
    case 'bmp':
      return openBmp(bytes, options);
    case 'heic':
      return openHeic(bytes, options);
    case null:
      throw new OperationError('unprocessable', 'The image is of no known format.');
    default:
      return openWithSharp(bytes, options);
  }
}

async function encode(picture: Picture, options: EncodeOptions): Promise<Blob> {
  options.signal.throwIfAborted();
  const { format } = options;
  if (format === 'heic') return encodeHeic(picture, options);
  if (format === 'bmp') {
    const frame = await firstFrame(picture);
    return new Blob([writeBmp(picture.hasAlpha ? flatten(frame, options.background) : frame)], {
      type: 'image/bmp',
    });
  }
  const bytes = await encodeWithSharp(picture, format, options);
  options.signal.throwIfAborted();
  return new Blob([bytes], { type: `image/${format}` });
}
