import type { ImageFormat, ImageMetadata } from '../../runtime/image-codec.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { writeAvifMetadata } from '../heif/write-avif-metadata.ts';
import { writeJpegMetadata } from '../jpeg/write-metadata.ts';
import { writePngMetadata } from '../png/write-metadata.ts';
import { writeTiffMetadata } from '../tiff/write-metadata.ts';
import { writeWebpMetadata } from '../webp/write-metadata.ts';

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
      return writeJpegMetadata(file, metadata);
    case 'png':
      return writePngMetadata(file, metadata);
    case 'webp':
      return writeWebpMetadata(file, metadata, size);
    case 'tiff':
      return writeTiffMetadata(file, metadata);
    case 'avif':
      return writeAvifMetadata(file, metadata);
    default:
      return [file];
  }
}
