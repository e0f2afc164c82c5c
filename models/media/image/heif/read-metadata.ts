import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readFourCc } from '../../bytes/read-four-cc.ts';
import { type Box, findBox, readBoxes } from './read-boxes.ts';
import { readHeifMeta, readItemData } from './read-meta.ts';
import { readReferences } from './read-references.ts';

/** Reference from a description to the items that it is about: ISO 23008-12, 6.4.6. */
const DESCRIBES = 'cdsc';
/** End of the namespace that every XMP packet declares, and the length within which it does. */
const RDF = '22-rdf-syntax-ns#';
const XMP_HEAD_BYTES = 4096;
/** Limit on items of a type that are looked at. */
const ITEMS_MAX = 16;

/**
 * Reads the `colr` property of the primary image, and its Exif and XMP items: ISO 23008-12, 6.5.5 and annex A. Items
 * about another image do not count, nor those that cannot be read.
 */
export function readHeifMetadata(file: Bytes): ImageMetadata {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const metaBox = findBox(readBoxes(view, 0, file.length), 'meta');
  if (!metaBox) return {};
  const { primaryItemId, itemTypes, propertiesOf } = readHeifMeta(view, metaBox);
  const profile = propertiesOf(primaryItemId).find(
    ({ type, start }) => type === 'colr' && ['prof', 'rICC'].includes(readFourCc(view, start)),
  );
  const descriptions = readReferences(view, metaBox).filter(({ type }) => type === DESCRIBES);
  const about = new Set(descriptions.flatMap(({ from, to }) => (to.includes(primaryItemId) ? [from] : [])));
  const bound = new Set(descriptions.map(({ from }) => from));
  const dataOf = (wanted: string): Bytes[] => {
    const ids = [...itemTypes].filter(([, type]) => type === wanted).map(([id]) => id);
    const chosen = [...ids.filter((id) => about.has(id)), ...ids.filter((id) => !bound.has(id))];
    return chosen.slice(0, ITEMS_MAX).flatMap((id) => readData(file, metaBox, id));
  };
  const exif = dataOf('Exif').find(({ length }) => length > 4);
  const xmp = dataOf('mime').find(isXmp);
  return {
    ...(profile ? { icc: file.slice(profile.start + 4, profile.end) } : {}),
    // The item begins with the offset of the TIFF stream after these 4 bytes.
    ...(exif ? { exif: exif.slice(4 + new DataView(exif.buffer).getUint32(0)) } : {}),
    ...(xmp ? { xmp } : {}),
  };
}

/** Returns the bytes of an item; none when they cannot be read, which is no reason to lose other metadata. */
function readData(file: Bytes, meta: Box, id: number): Bytes[] {
  try {
    return [readItemData(file, meta, id)];
  } catch (thrown) {
    if (thrown instanceof OperationError) return [];
    throw thrown;
  }
}

function isXmp(data: Bytes): boolean {
  return new TextDecoder('latin1').decode(data.subarray(0, XMP_HEAD_BYTES)).includes(RDF);
}
