import type { ImageFormat, ImageMetadata } from '../../image-codec.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { withAvifMetadata } from '../heif/write-avif-metadata.ts';
import { withJpegMetadata } from '../jpeg/write-metadata.ts';
import { withPngMetadata } from '../png/write-metadata.ts';
import { withTiffMetadata } from '../tiff/write-metadata.ts';
import { withWebpMetadata } from '../webp/write-metadata.ts';

/**
 * Puts EXIF, XMP and profile into an encoded file without any, whatever its encoder. HEIC gets its metadata during
 * assembly; GIF and BMP hold none.
 * @param size of the image, which an extended WebP states
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
