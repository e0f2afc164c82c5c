import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getFormat } from '../find-format.ts';

/**
 * Puts metadata into an encoded file without any, whatever its encoder, in place of a resolution that the encoder made
 * up. HEIC gets its metadata during assembly, BMP its resolution in its header; GIF holds none.
 * @param size of the image, which an extended WebP states
 * @returns the parts of the file in order
 */
export async function embedMetadata(
  file: Bytes,
  format: string,
  metadata: ImageMetadata,
  size: ImageSize & { readonly hasAlpha: boolean },
): Promise<Bytes[]> {
  const code = await getFormat(format).load();
  return code.embedMetadata?.(file, metadata, size) ?? [file];
}
