import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { damagedTiff } from './damaged-tiff.ts';
import { FIELDS_MAX, type TiffLayout, widthsOf } from './layout.ts';
import { readTiffPage } from './page-layout.ts';
import { isReducedPage, SUB_IFDS } from './pages.ts';

const IMAGE_WIDTH = 256;
const IMAGE_LENGTH = 257;
const SHORT = 3;
/** Types from here on have values of 8 bytes: BigTIFF's LONG8, SLONG8 and IFD8. */
const FIRST_WIDE_TYPE = 16;
/** Limits on reduced copies before the first full picture, and on directories beside the chain of pages. */
const PAGES_MAX = 64;
const SUB_IFDS_MAX = 8;

/**
 * Reads width and length from the directory of the first full picture, in the chain of pages or else beside it, or else
 * of the first page: TIFF 6.0, section 2, and BigTIFF with its wider counts and offsets.
 */
export async function readTiffSize(bytes: ByteWindow): Promise<ImageSize> {
  const head = await bytes.read(0, 16);
  const isLittle = head.getUint16(0) === 0x4949;
  const isBig = head.getUint16(2, isLittle) === 43;
  const layout = { isLittle, isBig };
  const { width, height } = await findPicture(bytes, offsetAt(head, isBig ? 8 : 4, layout), layout);
  if (width && height) return { width, height };
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
export async function assertProbedSize(file: Blob, readable: Bytes): Promise<void> {
  const { width, height } = await readTiffSize(new ByteWindow(file));
  const page = readTiffPage(readable);
  if (page?.width !== width || page.height !== height) throw damagedTiff('its directories are invalid');
}

type Layout = Pick<TiffLayout, 'isLittle' | 'isBig'>;

interface Page extends ImageSize {
  readonly isReduced: boolean;
  readonly subOffsets: readonly number[];
  /** Offset of the next page, 0 for none. */
  readonly next: number;
}

async function findPicture(bytes: ByteWindow, firstOffset: number, layout: Layout): Promise<Page> {
  const first = await readPage(bytes, firstOffset, layout);
  const subOffsets: number[] = [];
  let page = first;
  for (let count = 1; page.isReduced; count++) {
    subOffsets.push(...page.subOffsets);
    if (page.next === 0 || count === PAGES_MAX) break;
    page = await readPage(bytes, page.next, layout);
  }
  if (!page.isReduced) return page;
  for (const offset of subOffsets) {
    const beside = await readPage(bytes, offset, layout);
    if (!beside.isReduced) return beside;
  }
  return first;
}

function offsetAt(view: DataView, at: number, { isLittle, isBig }: Layout): number {
  return isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
}

async function readPage(bytes: ByteWindow, directory: number, layout: Layout): Promise<Page> {
  const { isLittle, isBig } = layout;
  const { countBytes, entryBytes, valueAt, offsetBytes } = widthsOf(layout);
  const counter = await bytes.read(directory, countBytes);
  const count = isBig ? offsetAt(counter, 0, layout) : counter.getUint16(0, isLittle);
  const size = { width: 0, height: 0 };
  let isReduced = false;
  let subOffsets: number[] = [];
  // Tags should stand in rising order. Decoders read them in any.
  for (let index = 0; index < Math.min(count, FIELDS_MAX); index++) {
    const entry = await bytes.read(directory + countBytes + index * entryBytes, entryBytes);
    const tag = entry.getUint16(0, isLittle);
    const value = wholeAt(entry, valueAt, layout);
    if (isReducedPage(tag, value)) isReduced = true;
    // The first field of a tag counts, as for every decoder.
    if (tag === IMAGE_WIDTH) size.width ||= value;
    if (tag === IMAGE_LENGTH) size.height ||= value;
    if (tag === SUB_IFDS) subOffsets = await readSubOffsets(bytes, entry, layout);
  }
  if (!isReduced) return { ...size, isReduced, subOffsets: [], next: 0 };
  const next = await bytes.read(directory + countBytes + count * entryBytes, offsetBytes);
  return { ...size, isReduced, subOffsets, next: offsetAt(next, 0, layout) };
}

/** Reads the whole number that an entry holds itself. */
function wholeAt(entry: DataView, at: number, { isLittle, isBig }: Layout): number {
  const type = entry.getUint16(2, isLittle);
  if (type === SHORT) return entry.getUint16(at, isLittle);
  return offsetAt(entry, at, { isLittle, isBig: isBig && type >= FIRST_WIDE_TYPE });
}

async function readSubOffsets(bytes: ByteWindow, entry: DataView, layout: Layout): Promise<number[]> {
  const { isLittle } = layout;
  const { valueAt, offsetBytes } = widthsOf(layout);
  const isWide = entry.getUint16(2, isLittle) >= FIRST_WIDE_TYPE;
  const count = Math.min(SUB_IFDS_MAX, offsetAt(entry, 4, layout));
  const length = count * (isWide ? 8 : 4);
  const isInline = offsetAt(entry, 4, layout) * (isWide ? 8 : 4) <= offsetBytes;
  const values = isInline ? null : await bytes.read(offsetAt(entry, valueAt, layout), length);
  return Array.from({ length: count }, (_, at) =>
    offsetAt(values ?? entry, (values ? 0 : valueAt) + at * (isWide ? 8 : 4), { isLittle, isBig: isWide }),
  );
}
