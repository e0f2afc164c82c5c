import type { ImageFormat, ImageMetadata } from '../../image-codec.ts';
import type { Bytes } from '../byte-writer.ts';
import { withAvifMetadata } from './avif-metadata.ts';
import { withJpegMetadata } from './jpeg-metadata.ts';
import { withPngMetadata } from './png-metadata.ts';
import { withTiffMetadata } from './tiff-metadata.ts';
import { withWebpMetadata } from './webp-metadata.ts';

/**
 * Puts EXIF, XMP and profile into an encoded file that has none, whatever encoder made it. HEIC gets its metadata when
 * it is assembled; GIF and BMP hold none.
 * @param size of the picture, which an extended WebP states
 * @returns the parts of the file in order
 */
export function embedMetadata(
  file: Bytes,
  format: ImageFormat,
  metadata: ImageMetadata,
  size: { readonly width: number; readonly height: number; readonly hasAlpha: boolean },
): Bytes[] {
  if (!(metadata.icc || metadata.exif || metadata.xmp)) return [file];
  switch (format) {
    case 'jpeg':
      return withJpegMetadata(file, metadata);
    case 'png':
      return withPngMetadata(file, metadata);
    case 'webp':
      return withWebpMetadata(file, metadata, size);
    case 'tiff':
      return withTiffMetadata(file, metadata);
    case 'avif':
      return withAvifMetadata(file, metadata);
    default:
      return [file];
  }
}
