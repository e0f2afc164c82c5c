import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readWebpChunks } from './chunks.ts';

/** Reads the metadata chunks: RFC 9649, 2.7.1.4 and 2.7.1.5. */
export function readWebpMetadata(file: Bytes): ImageMetadata {
  const chunks = readWebpChunks(file);
  const bodyOf = (wanted: string) => chunks.find(({ type }) => type === wanted)?.body.slice();
  const [icc, exif, xmp] = [bodyOf('ICCP'), bodyOf('EXIF'), bodyOf('XMP ')];
  return { ...(icc ? { icc } : {}), ...(exif ? { exif } : {}), ...(xmp ? { xmp } : {}) };
}
