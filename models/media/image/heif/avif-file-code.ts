import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import { ascii, type Bytes, box } from '../../bytes/byte-writer.ts';
import type { ImageFileCode } from '../image-format.ts';
import { metadataItems } from './assemble-still.ts';
import { heifFileCode } from './file-code.ts';
import { readHeifItems } from './read-meta.ts';
import { writeHeif } from './write-heif.ts';

export const avifFileCode: ImageFileCode = {
  ...heifFileCode,
  embedMetadata: (file, metadata) =>
    metadata.icc || metadata.exif || metadata.xmp ? writeAvifMetadata(file, metadata) : [file],
};

/**
 * Puts metadata into an AVIF without any: rewrites its items, with a profile on the primary one.
 * @returns the parts of the file in order
 */
function writeAvifMetadata(file: Bytes, metadata: ImageMetadata): Bytes[] {
  const profile = metadata.icc ? [{ box: box('colr', ascii('prof'), metadata.icc), isEssential: false }] : [];
  const items = readHeifItems(file).map((item, place) =>
    place === 0 ? { ...item, properties: [...(item.properties ?? []), ...profile] } : item,
  );
  return writeHeif('avif', ['mif1', 'avif', 'miaf'], [...items, ...metadataItems(metadata)]);
}
