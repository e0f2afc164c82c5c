import type { Bytes } from '../../bytes/byte-writer.ts';
import { type Box, findBox, readBoxes } from './read-boxes.ts';
import { type HeifMeta, readHeifMeta } from './read-meta.ts';
import { type ItemReference, readReferences } from './read-references.ts';

/** Types of items that are no image: metadata, and derivations that alter the look of another image. */
const NO_PICTURES: ReadonlySet<string> = new Set([
  'Exif',
  'mime',
  'uri ',
  'tmap',
  'rgan',
  'mski',
  'mini',
  'text',
]);
/** References from an item that is part of another one: ISO 23008-12, 6.4.4 to 6.4.6. */
const SUBORDINATE_FROM: ReadonlySet<string> = new Set(['thmb', 'auxl', 'cdsc']);
/** Reference of a derived image to its parts: ISO 23008-12, 6.6. */
const DERIVED = 'dimg';
const TONE_MAP = 'tmap';
const GAIN_MAP_URN = /hdrgainmap/;
/** Uniform resource names of alpha: ISO 23008-12, and its annex B for HEVC. */
const ALPHA_URN = /:auxiliary:alpha\0|:auxid:1\0/;

/** Images of a HEIF file besides its parts and descriptions: ISO 23008-12. */
export interface HeifCollection {
  /** Number of images that a viewer would show, the primary one included. */
  readonly pictures: number;
  readonly hasGainMap: boolean;
  readonly hasAlpha: boolean;
}

/**
 * Counts the images of a file, without tiles, thumbnails, alpha and other auxiliary ones, and hidden ones.
 * @throws OperationError `bad_request` when its boxes are inconsistent
 */
export function readHeifCollection(file: Bytes): HeifCollection {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const metaBox = findBox(readBoxes(view, 0, file.length), 'meta');
  if (!metaBox) return { pictures: 1, hasGainMap: false, hasAlpha: false };
  const meta = readHeifMeta(view, metaBox);
  const inMeta = readBoxes(view, metaBox.start + 4, metaBox.end);
  const parts = partsOf(readReferences(view, metaBox));
  const hidden = readHidden(view, findBox(inMeta, 'iinf'));
  const pictures = [...meta.itemTypes].filter(
    ([id, type]) => id === meta.primaryItemId || !(NO_PICTURES.has(type) || parts.has(id) || hidden.has(id)),
  );
  return {
    pictures: Math.max(1, pictures.length),
    hasGainMap: [...meta.itemTypes.values()].includes(TONE_MAP) || hasAuxiliary(file, meta, GAIN_MAP_URN),
    hasAlpha: hasAuxiliary(file, meta, ALPHA_URN),
  };
}

/** Reports whether a file has an auxiliary image of a kind: ISO 23008-12, 6.5.8. */
function hasAuxiliary(file: Bytes, meta: HeifMeta, urn: RegExp): boolean {
  const properties = [...meta.itemTypes.keys()].flatMap((id) => meta.propertiesOf(id));
  return properties.some(
    ({ type, start, end }) =>
      type === 'auxC' && urn.test(new TextDecoder('latin1').decode(file.subarray(start + 4, end))),
  );
}

/** Returns the items that are parts of others. */
function partsOf(references: readonly ItemReference[]): Set<number> {
  return new Set(
    references.flatMap(({ type, from, to }) => {
      if (SUBORDINATE_FROM.has(type)) return [from];
      return type === DERIVED ? to : [];
    }),
  );
}

/** Reads the items whose entry says that they are hidden: ISO 23008-12, 6.4.2. */
function readHidden(view: DataView, iinf: Box | undefined): Set<number> {
  const hidden = new Set<number>();
  if (!iinf) return hidden;
  const headBytes = view.getUint8(iinf.start) === 0 ? 6 : 8;
  for (const { start, end } of readBoxes(view, iinf.start + headBytes, iinf.end)) {
    const version = view.getUint8(start);
    if (version < 2 || start + 8 > end || (view.getUint8(start + 3) & 1) === 0) continue;
    hidden.add(version > 2 ? view.getUint32(start + 4) : view.getUint16(start + 4));
  }
  return hidden;
}
