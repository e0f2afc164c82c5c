import sharp from 'sharp';
import { OperationError } from '../../../models/errors.ts';
import type { DecodeOptions, EncodeOptions, ImageCodec, Picture } from '../../../models/image-codec.ts';
import { writeBmp } from '../../../models/kernels/bmp/write-bmp.ts';
import { encodeHeic } from '../../../models/kernels/heif/encode-heic.ts';
import { imageFormatOf } from '../../../models/kernels/image-header.ts';
import { embedMetadata } from '../../../models/kernels/metadata/embed-metadata.ts';
import { encodeWebpRaster } from '../../../models/kernels/webp/encode-raster.ts';
import { openBmp } from './decode-bmp.ts';
import { openHeic } from './decode-heic.ts';
import { encodeAvifGrid, needsGrid } from './encode-avif-grid.ts';
import { encodeWithSharp, opaqueSamples, type SharpFormat } from './encode-with-sharp.ts';
import { encodeHevcStill } from './libx265.ts';
import { openWithSharp, SharpPicture } from './sharp-picture.ts';

const MAJOR_BRAND_OFFSET = 8;
const AVIF_BRAND = [0x61, 0x76, 0x69, 0x66];

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
    case 'avif':
      // libvips goes by the major brand and knows none of a sequence (`avis`), which holds a still picture as well.
      bytes.set(AVIF_BRAND, MAJOR_BRAND_OFFSET);
      return openWithSharp(bytes, options);
    default:
      return openWithSharp(bytes, options);
  }
}

async function encode(picture: Picture, options: EncodeOptions): Promise<Blob> {
  options.signal.throwIfAborted();
  const parts = await encodeParts(picture, options);
  options.signal.throwIfAborted();
  // A blob copies its bytes: part by part, each can go as soon as it is copied.
  const blobs = Array.from(parts, (part) => new Blob([part]));
  return new Blob(blobs, { type: `image/${options.format}` });
}

async function encodeParts(
  picture: Picture,
  options: EncodeOptions,
): Promise<Iterable<Uint8Array<ArrayBuffer>>> {
  const { format } = options;
  if (format === 'heic') return encodeHeic(picture, options, encodeHevcStill);
  if (format === 'avif' && needsGrid(picture)) return encodeAvifGrid(picture, options);
  if (format === 'bmp') return writeBmp(await opaqueSamples(picture, options.background));
  return embedMetadata(await encodeFile(picture, format, options), format, options.metadata, picture);
}

async function encodeFile(
  picture: Picture,
  format: SharpFormat,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const isRaster = picture.frameCount === 1 && !(picture instanceof SharpPicture);
  const file =
    format === 'webp' && isRaster && picture.hasAlpha
      ? await encodeWebpRaster(picture, (opaque) => encodeWithSharp(opaque, format, options))
      : null;
  return file ?? encodeWithSharp(picture, format, options);
}
