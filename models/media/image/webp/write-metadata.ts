import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readWebpChunks, vp8xChunk, WEBP_FLAGS, type WebpChunk, writeWebp } from './chunks.ts';

/**
 * Puts metadata into a WebP without any, in the extended format of RFC 9649, 2.7.
 * @param size of the canvas, for a file not yet in the extended format
 * @returns the parts of the file in order
 */
export function writeWebpMetadata(
  file: Bytes,
  { icc, exif, xmp }: ImageMetadata,
  size: { width: number; height: number; hasAlpha: boolean },
): Bytes[] {
  const chunks = readWebpChunks(file);
  const found = chunks.find(({ type }) => type === 'VP8X');
  const head = found ?? vp8xChunk(size, size.hasAlpha ? WEBP_FLAGS.alpha : 0);
  const body = head.body.slice();
  body[0] =
    (body[0] ?? 0) | (icc ? WEBP_FLAGS.icc : 0) | (exif ? WEBP_FLAGS.exif : 0) | (xmp ? WEBP_FLAGS.xmp : 0);
  return writeWebp([
    { type: 'VP8X', body },
    ...chunkOf('ICCP', icc),
    ...chunks.filter((chunk) => chunk !== found),
    ...chunkOf('EXIF', exif),
    ...chunkOf('XMP ', xmp),
  ]);
}

function chunkOf(type: string, body: Bytes | undefined): WebpChunk[] {
  return body ? [{ type, body }] : [];
}
