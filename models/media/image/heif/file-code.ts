import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ColourEncoding } from '../../../kernels/colour/colour-encoding.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { isoEnd, readBoxHead } from '../../bytes/iso-boxes.ts';
import { readFourCc } from '../../bytes/text.ts';
import { readAperture } from '../../parameter-sets/clean-aperture.ts';
import { type FileContents, getAnimation, type ImageFileCode, shorterThan } from '../image-format.ts';
import { announcesSequence } from './brands.ts';
import { readHeifEncoding } from './read-encoding.ts';
import {
  type Box,
  damagedHeif,
  type HeifMeta,
  type ItemReference,
  isPremultiplied,
  openHeifMeta,
  readHeifMeta,
  readItemData,
} from './read-meta.ts';
import { readHeifSequence } from './read-sequence.ts';

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

/** Length within which a uniform resource name ends; those in use have about 40. */
const URN_BYTES_MAX = 256;

/** Uniform resource names of alpha: ISO 23008-12, and its annex B for HEVC. */
const ALPHA_URN = /:auxiliary:alpha\0|:auxid:1\0/;

/** Images of a HEIF file besides its parts and descriptions: ISO 23008-12. */
interface HeifCollection {
  /** Number of images that a viewer would show, the primary one included. */
  readonly pictures: number;
  readonly hasGainMap: boolean;
  readonly hasAlpha: boolean;
}

const META_BYTES_MAX = 400_000;

const TOP_LEVEL_BOXES_MAX = 32;

/** Reference from a description to the items that it is about: ISO 23008-12, 6.4.6. */
const DESCRIBES = 'cdsc';

/** End of the namespace that every XMP packet declares, and the length within which it does. */
const RDF = '22-rdf-syntax-ns#';

const XMP_HEAD_BYTES = 4096;

/** Limit on items of a type that are looked at. */
const ITEMS_MAX = 16;

/** Code of all formats in the boxes of HEIF. */
export const heifFileCode: ImageFileCode = {
  readSize: readHeifSize,
  readShownSize: readHeifShownSize,
  isAnimated: announcesSequence,
  readContents,
  hasAlpha: (file) => readHeifCollection(file).hasAlpha,
  isPremultiplied,
  readMetadata: readHeifMetadata,
  isRotated: isHeifRotated,
  readEncoding,
  findMissingEnd: async (file) => shorterThan(file, await isoEnd(file).catch(() => 0)),
};

function readContents(file: Bytes): FileContents {
  const frames = readHeifSequence(file)?.main.samples.length ?? 0;
  if (frames > 1) return getAnimation(frames);
  const { pictures, hasGainMap } = readHeifCollection(file);
  return { count: pictures, kind: 'images', hasGainMap };
}

/** Reads the encoding. A description that cannot be read states nothing; the decoder decides whether the image can. */
function readEncoding(file: Bytes): ColourEncoding | null {
  try {
    return readHeifEncoding(file);
  } catch (thrown) {
    if (thrown instanceof OperationError || thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/**
 * Reads the `colr` property of the primary image, and its Exif and XMP items: ISO 23008-12, 6.5.5 and annex A. Items
 * about another image do not count, nor those that cannot be read.
 */
function readHeifMetadata(file: Bytes): ImageMetadata {
  const meta = openHeifMeta(file);
  if (!meta) return {};
  const { primaryItemId, itemTypes, propertiesOf, view } = meta;
  const profile = propertiesOf(primaryItemId).find(
    ({ type, start }) => type === 'colr' && ['prof', 'rICC'].includes(readFourCc(view, start)),
  );
  const descriptions = meta.references().filter(({ type }) => type === DESCRIBES);
  const about = new Set(descriptions.flatMap(({ from, to }) => (to.includes(primaryItemId) ? [from] : [])));
  const bound = new Set(descriptions.map(({ from }) => from));
  const getData = (wanted: string): Bytes[] => {
    const ids = [...itemTypes].filter(([, type]) => type === wanted).map(([id]) => id);
    const chosen = [...ids.filter((id) => about.has(id)), ...ids.filter((id) => !bound.has(id))];
    return chosen.slice(0, ITEMS_MAX).flatMap((id) => readData(file, meta.box, id));
  };
  const exif = getData('Exif').find(({ length }) => length > 4);
  const xmp = getData('mime').find(isXmp);
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

/**
 * Reads the `ispe` property of the primary item (ISO 23008-12, 6.5.3): for a grid, the size of the whole. A file with
 * a `mini` box in place of `meta` states its size there.
 */
async function readHeifSize(bytes: ByteWindow): Promise<ImageSize> {
  const { mini, property } = await readProperty(bytes, 'ispe');
  if (mini) return miniSize(mini);
  if (!property || property.byteLength < 12) throw damagedHeif();
  return { width: property.getUint32(4), height: property.getUint32(8) };
}

/** Applies the `clap` property of the primary item (ISO 23008-12, 6.5.9): small and odd images are coded larger. */
async function readHeifShownSize(bytes: ByteWindow, coded: ImageSize): Promise<ImageSize> {
  const { property } = await readProperty(bytes, 'clap');
  if (!property) return coded;
  const { width, height } = readAperture(property, coded);
  return { width, height };
}

/**
 * Reports whether the `irot` property of the primary item (ISO 23008-12, 6.5.10), or the `mini` box, rotates it by a
 * quarter turn.
 */
async function isHeifRotated(bytes: ByteWindow): Promise<boolean> {
  const { mini, property } = await readProperty(bytes, 'irot');
  // The last 3 of its flag bits are the Orientation of EXIF, less one.
  if (mini) return (mini.getUint8(1) & 7) >= 4;
  return property !== undefined && property.byteLength > 0 && (property.getUint8(0) & 1) === 1;
}

/** Reads a property of the primary item, or else the `mini` box of a file that has one in place of `meta`. */
async function readProperty(
  bytes: ByteWindow,
  wanted: string,
): Promise<{ readonly mini?: DataView; readonly property?: DataView | undefined }> {
  const { type, view } = await readDescription(bytes);
  if (type === 'mini') return { mini: view };
  const { primaryItemId, propertiesOf } = readHeifMeta(view, { type, start: 0, end: view.byteLength });
  const found = propertiesOf(primaryItemId).find((property) => property.type === wanted);
  return {
    property: found && new DataView(view.buffer, view.byteOffset + found.start, found.end - found.start),
  };
}

/**
 * Reads a size from the low-overhead format (ISO 23008-12, amendment 1): 16 flag bits, a size flag, sizes less one.
 */
function miniSize(view: DataView): ImageSize {
  if (view.byteLength < 6) throw damagedHeif();
  const isLarge = view.getUint8(2) >>> 7 === 1;
  return isLarge
    ? { width: (view.getUint16(2) & 0x7fff) + 1, height: (view.getUint16(4) >>> 1) + 1 }
    : { width: (view.getUint8(2) & 0x7f) + 1, height: (view.getUint8(3) >>> 1) + 1 };
}

/** Reads the body of the first `meta` or `mini` box. */
async function readDescription(bytes: ByteWindow): Promise<{ type: 'meta' | 'mini'; view: DataView }> {
  let offset = 0;
  for (let count = 0; count < TOP_LEVEL_BOXES_MAX; count++) {
    const { type, headBytes, size: stated } = await readBoxHead(bytes, offset);
    const size = stated ?? bytes.size - offset;
    if (size < headBytes) break;
    if (type === 'mini')
      return { type, view: await bytes.read(offset + headBytes, Math.min(16, size - headBytes)) };
    if (type === 'meta') {
      if (size > META_BYTES_MAX) break;
      return { type, view: await bytes.read(offset + headBytes, size - headBytes) };
    }
    offset += size;
  }
  throw new OperationError(
    'bad_request',
    'The image is a HEIC or AVIF file without a readable still image.',
    { kind: 'damaged' },
  );
}

/**
 * Counts the images of a file, without tiles, thumbnails, alpha and other auxiliary ones, and hidden ones.
 * @throws OperationError `bad_request` when its boxes are inconsistent
 */
function readHeifCollection(file: Bytes): HeifCollection {
  const meta = openHeifMeta(file);
  if (!meta) return { pictures: 1, hasGainMap: false, hasAlpha: false };
  const parts = getParts(meta.references());
  const isShown = (id: number, type: string) =>
    !(NO_PICTURES.has(type) || parts.has(id) || meta.hidden.has(id));
  const pictures = [...meta.itemTypes].filter(([id, type]) => id === meta.primaryItemId || isShown(id, type));
  return {
    pictures: Math.max(1, pictures.length),
    hasGainMap: [...meta.itemTypes.values()].includes(TONE_MAP) || hasAuxiliary(file, meta, GAIN_MAP_URN),
    hasAlpha: hasAuxiliary(file, meta, ALPHA_URN),
  };
}

/** Reports whether a file has an auxiliary image of a kind: ISO 23008-12, 6.5.8. */
function hasAuxiliary(file: Bytes, meta: HeifMeta, urn: RegExp): boolean {
  const properties = [...meta.itemTypes.keys()].flatMap((id) => meta.propertiesOf(id));
  // Items share properties.
  const distinct = new Map(properties.map((property) => [property.start, property] as const));
  return [...distinct.values()].some(({ type, start, end }) => {
    const name = file.subarray(start + 4, Math.min(end, start + URN_BYTES_MAX));
    return type === 'auxC' && urn.test(new TextDecoder('latin1').decode(name));
  });
}

/** Returns the items that are parts of others. */
function getParts(references: readonly ItemReference[]): Set<number> {
  return new Set(
    references.flatMap(({ type, from, to }) => {
      if (SUBORDINATE_FROM.has(type)) return [from];
      return type === DERIVED ? to : [];
    }),
  );
}
