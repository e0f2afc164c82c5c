import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import { formatWarning } from '../../../core/runtime/run-warnings.ts';
import {
  type ColourEncoding,
  type LightCurve,
  SRGB_PRIMARIES,
  SRGB_TRANSFER,
} from '../../../kernels/colour/colour-encoding.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { type ImageFileCode, ONE_IMAGE } from '../image-format.ts';
import { readImageResource } from '../iptc.ts';
import {
  countEntries,
  damagedTiff,
  FIELDS_MAX,
  getWidths,
  openTiff,
  readEntry,
  readFirstDirectory,
  readNumbers,
  readOffset,
  readPrimaries,
  readTiffHead,
  readWholeNumbers,
  TAG,
  type TiffDirectory,
  type TiffEntry,
  type TiffHead,
  type TiffOrder,
  TYPE,
} from './directory.ts';
import { readTiffPage } from './page-layout.ts';
import { countTiffPages, isReducedPage, SUB_IFDS } from './pages.ts';
import { encodingOfFields } from './read-exif-encoding.ts';
import { simplifyTiff } from './simplify.ts';
import { exifOfTiff, writeTiffMetadata } from './write-metadata.ts';

/** Limits on reduced copies before the first full picture, and on directories outside the chain of pages. */
const PAGES_MAX = 64;

const SUB_IFDS_MAX = 8;

interface Page extends ImageSize {
  readonly isReduced: boolean;
  readonly subOffsets: readonly number[];
  /** Offset of the next page, 0 for none. */
  readonly next: number;
}

const LIGHT_MAX = 65_535;

/** Kinds of samples that are tones of red, green, blue or grey from dark to light: TIFF 6.0, section 8, 262. */
const DARK_TO_LIGHT: ReadonlySet<number> = new Set([1, 2, 3, 6]);

/** Fields that readers need, of a directory that may hold the layers of a program as well. */
const IPTC_TAGS: ReadonlySet<number> = new Set([TAG.iptc, TAG.photoshop]);

const METADATA_TAGS: ReadonlySet<number> = new Set([TAG.icc, TAG.xmp]);

const ENCODING_TAGS: ReadonlySet<number> = new Set([
  TAG.photometric,
  TAG.transferFunction,
  TAG.whitePoint,
  TAG.primaryChromaticities,
  TAG.exif,
]);

export const tiffFileCode: ImageFileCode = {
  readSize: readTiffSize,
  assertProbedSize,
  readContents: (file) => ({ ...ONE_IMAGE, count: countTiffPages(file), kind: 'pages' }),
  readMetadata: readTiffMetadata,
  isExifStream: true,
  readIptc,
  readEncoding: readTiffEncoding,
  /** Makes the file lead to its full pictures only. */
  complete(file) {
    const { bytes, beganReduced } = simplifyTiff(file);
    return { bytes, wasCompleted: false, warnings: beganReduced ? [formatWarning('reduced_copy')] : [] };
  },
  embedMetadata: writeTiffMetadata,
};

/** Reads field 33723, or Photoshop's resources. */
function readIptc(file: Bytes): Bytes | undefined {
  const fields = readFirstDirectory(file, IPTC_TAGS);
  const own = fields.find(({ tag }) => tag === TAG.iptc);
  if (own?.value.length) {
    // Some writers call the bytes LONGs, in the order of the file: the reader has reversed those of a big-endian one.
    return own.type === TYPE.long && !openTiff(file)?.isLittle ? reverseWords(own.value) : own.value;
  }
  const resources = fields.find(({ tag }) => tag === TAG.photoshop);
  return resources && readImageResource(resources.value);
}

function reverseWords(bytes: Bytes): Bytes {
  const copy = bytes.slice();
  for (let at = 0; at + 4 <= copy.length; at += 4) copy.subarray(at, at + 4).reverse();
  return copy;
}

/** Reads the metadata of the first page. */
function readTiffMetadata(file: Bytes): ImageMetadata {
  const fields = readFirstDirectory(file, METADATA_TAGS);
  const fieldValue = (wanted: number) => fields.find(({ tag }) => tag === wanted)?.value;
  const [icc, xmp, exif] = [fieldValue(TAG.icc), fieldValue(TAG.xmp), exifOfTiff(file)];
  return { ...(icc ? { icc } : {}), ...(xmp ? { xmp } : {}), ...(exif ? { exif } : {}) };
}

/**
 * Reads TransferFunction, PrimaryChromaticities and WhitePoint (TIFF 6.0, section 20), or else what EXIF states.
 * @returns null when the first page has neither
 */
function readTiffEncoding(file: Bytes): ColourEncoding | null {
  const fields = readFirstDirectory(file, ENCODING_TAGS);
  const [photometric = -1] = readNumbers(fields, TAG.photometric);
  if (!DARK_TO_LIGHT.has(photometric)) return null;
  const primaries = readPrimaries(fields);
  const curves = readCurves(fields);
  if (!primaries && !curves) return encodingOfFields(fields);
  return {
    primaries: primaries ?? SRGB_PRIMARIES,
    transfer: curves ? { kind: 'curves', curves } : SRGB_TRANSFER,
  };
}

/** Reads one table for all channels, or three. */
function readCurves(fields: TiffDirectory): readonly [LightCurve, LightCurve, LightCurve] | null {
  const points = readNumbers(fields, TAG.transferFunction);
  const perChannel = Math.log2(points.length) % 1 === 0 ? points.length : points.length / 3;
  if (perChannel < 2 || Math.log2(perChannel) % 1 !== 0) return null;
  const curve = (channel: number) =>
    interpolate(points.slice(channel * perChannel, (channel + 1) * perChannel));
  if (perChannel === points.length) return [curve(0), curve(0), curve(0)];
  return [curve(0), curve(1), curve(2)];
}

function interpolate(points: readonly number[]): LightCurve {
  return (sample) => {
    const place = sample * (points.length - 1);
    const below = Math.min(points.length - 2, Math.floor(place));
    const from = points[below] ?? 0;
    return (from + ((points[below + 1] ?? 0) - from) * (place - below)) / LIGHT_MAX;
  };
}

/**
 * Reads width and length from the directory of the first full picture, in the chain of pages or else outside it, or else
 * of the first page: TIFF 6.0, section 2, and BigTIFF with its wider counts and offsets.
 */
async function readTiffSize(bytes: ByteWindow): Promise<ImageSize> {
  const head = readTiffHead(await bytes.read(0, 16));
  const page = head && (await findPicture(bytes, head));
  if (page?.width && page.height) return { width: page.width, height: page.height };
  throw new OperationError('bad_request', 'The image is a damaged TIFF: its first page has no size.', {
    kind: 'damaged',
  });
}

/**
 * Checks that decoders read an image of the size that probing has found: the limits are judged by that.
 * @param file as it was probed
 * @param readable bytes as decoders get them
 * @throws OperationError `unprocessable` where directories contradict each other
 */
async function assertProbedSize(file: Blob, readable: Bytes): Promise<void> {
  const { width, height } = await readTiffSize(new ByteWindow(file));
  const page = readTiffPage(readable);
  if (page?.width !== width || page.height !== height) throw damagedTiff('its directories are invalid');
}

async function findPicture(bytes: ByteWindow, head: TiffHead): Promise<Page> {
  const first = await readPage(bytes, head.firstOffset, head);
  const subOffsets: number[] = [];
  let page = first;
  for (let count = 1; page.isReduced; count++) {
    subOffsets.push(...page.subOffsets);
    if (page.next === 0 || count === PAGES_MAX) break;
    page = await readPage(bytes, page.next, head);
  }
  if (!page.isReduced) return page;
  for (const offset of subOffsets) {
    const outside = await readPage(bytes, offset, head);
    if (!outside.isReduced) return outside;
  }
  return first;
}

async function readPage(bytes: ByteWindow, offset: number, order: TiffOrder): Promise<Page> {
  const { countBytes, entryBytes, offsetBytes } = getWidths(order);
  const count = countEntries(await bytes.read(offset, countBytes), 0, order);
  const size = { width: 0, height: 0 };
  let isReduced = false;
  let subOffsets: readonly number[] = [];
  // Tags should stand in rising order. Decoders read them in any.
  for (let index = 0; index < Math.min(count, FIELDS_MAX); index++) {
    const view = await bytes.read(offset + countBytes + index * entryBytes, entryBytes);
    const entry = readEntry(view, 0, order);
    if (entry.tag === SUB_IFDS) subOffsets = await readSubOffsets(bytes, view, entry, order);
    const [value = 0] = entry.isInline ? readWholeNumbers(view, entry, order, 1) : [];
    if (isReducedPage(entry.tag, value)) isReduced = true;
    // The first field of a tag counts, as for every decoder.
    if (entry.tag === TAG.imageWidth) size.width ||= value;
    if (entry.tag === TAG.imageLength) size.height ||= value;
  }
  if (!isReduced) return { ...size, isReduced, subOffsets: [], next: 0 };
  const next = await bytes.read(offset + countBytes + count * entryBytes, offsetBytes);
  return { ...size, isReduced, subOffsets, next: readOffset(next, 0, order) };
}

async function readSubOffsets(
  bytes: ByteWindow,
  view: DataView,
  entry: TiffEntry,
  order: TiffOrder,
): Promise<readonly number[]> {
  if (entry.isInline) return readWholeNumbers(view, entry, order, SUB_IFDS_MAX);
  const values = await bytes.read(entry.valuesAt, Math.min(entry.bytes, SUB_IFDS_MAX * 8));
  return readWholeNumbers(values, { ...entry, valuesAt: 0 }, order, SUB_IFDS_MAX);
}
