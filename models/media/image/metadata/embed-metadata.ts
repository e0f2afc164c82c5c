import type { ImageFormat, ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { writeAvifMetadata } from '../heif/write-avif-metadata.ts';
import { writeJpegMetadata } from '../jpeg/write-metadata.ts';
import { writePngMetadata } from '../png/write-metadata.ts';
import { writeTiffMetadata } from '../tiff/write-metadata.ts';
import { writeWebpMetadata } from '../webp/write-metadata.ts';

/**
 * Puts metadata into an encoded file without any, whatever its encoder, in place of a resolution that the encoder made
 * up. HEIC gets its metadata during assembly, BMP its resolution in its header; GIF holds none.
 * @param size of the image, which an extended WebP states
 * @returns the parts of the file in order
 */
export function embedMetadata(
  file: Bytes,
  format: ImageFormat,
  metadata: ImageMetadata,
  size: { readonly width: number; readonly height: number; readonly hasAlpha: boolean },
): Bytes[] {
  switch (format) {
    case 'jpeg':
      return writeJpegMetadata(file, metadata);
    case 'png':
      return writePngMetadata(file, metadata);
    case 'webp':
      return hasBlocks(metadata) ? writeWebpMetadata(file, metadata, size) : [file];
    case 'tiff':
      return writeTiffMetadata(file, metadata);
    case 'avif':
      return hasBlocks(metadata) ? writeAvifMetadata(file, metadata) : [file];
    default:
      return [file];
  }
}

function hasBlocks({ icc, exif, xmp }: ImageMetadata): boolean {
  return icc !== undefined || exif !== undefined || xmp !== undefined;
}
