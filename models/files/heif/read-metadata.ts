import type { ImageMetadata } from '../../runtime/image-codec.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { readFourCc } from '../bytes/read-four-cc.ts';
import { findBox, readBoxes } from './read-boxes.ts';
import { readHeifMeta, readItemData } from './read-meta.ts';

/**
 * Reads the `colr` property of the primary image, and the first Exif and XMP items: ISO 23008-12, 6.5.5 and annex A.
 */
export function readHeifMetadata(file: Bytes): ImageMetadata {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const metaBox = findBox(readBoxes(view, 0, file.length), 'meta');
  if (!metaBox) return {};
  const meta = readHeifMeta(view, metaBox);
  const profile = meta
    .propertiesOf(meta.primaryItemId)
    .find(({ type, start }) => type === 'colr' && ['prof', 'rICC'].includes(readFourCc(view, start)));
  const itemOf = (wanted: string) => {
    const id = [...meta.itemTypes].find(([, type]) => type === wanted)?.[0];
    return id === undefined ? undefined : readItemData(file, metaBox, id);
  };
  const exif = itemOf('Exif');
  const xmp = itemOf('mime');
  return {
    ...(profile ? { icc: file.slice(profile.start + 4, profile.end) } : {}),
    // The item begins with the offset of the TIFF stream after these 4 bytes.
    ...(exif && exif.length > 4 ? { exif: exif.slice(4 + new DataView(exif.buffer).getUint32(0)) } : {}),
    ...(xmp ? { xmp } : {}),
  };
}
