import { OperationError } from '../../operation/errors.ts';
import type { ImageSize } from '../../runtime/raster.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import { isReducedPage } from './pages.ts';

const IMAGE_WIDTH = 256;
const IMAGE_LENGTH = 257;
const SHORT = 3;
/** Limit on reduced copies before the first full picture. */
const PAGES_MAX = 64;

/**
 * Reads width and length from the directory of the first full picture, or else of the first page: TIFF 6.0, section 2,
 * and BigTIFF with its wider counts and offsets.
 */
export async function readTiffSize(bytes: ByteWindow): Promise<ImageSize> {
  const head = await bytes.read(0, 16);
  const little = head.getUint16(0) === 0x4949;
  const isBig = head.getUint16(2, little) === 43;
  const layout = { little, isBig };
  const first = await readPage(bytes, isBig ? offsetAt(head, 8, layout) : offsetAt(head, 4, layout), layout);
  let page = first;
  for (let count = 1; page.isReduced && page.next > 0 && count < PAGES_MAX; count++) {
    page = await readPage(bytes, page.next, layout);
  }
  const { width, height } = page.isReduced ? first : page;
  if (width && height) return { width, height };
  throw new OperationError('bad_request', 'The image is a damaged TIFF: its first page has no size.', {
    kind: 'damaged',
  });
}

interface Layout {
  readonly little: boolean;
  readonly isBig: boolean;
}

interface Page extends ImageSize {
  readonly isReduced: boolean;
  /** Offset of the next page, 0 for none. */
  readonly next: number;
}

function offsetAt(view: DataView, at: number, { little, isBig }: Layout): number {
  return isBig ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);
}

async function readPage(bytes: ByteWindow, directory: number, layout: Layout): Promise<Page> {
  const { little, isBig } = layout;
  const [countBytes, entryBytes, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  const counter = await bytes.read(directory, countBytes);
  const count = isBig ? Number(counter.getBigUint64(0, little)) : counter.getUint16(0, little);
  const size = { width: 0, height: 0 };
  let isReduced = false;
  for (let index = 0; index < count; index++) {
    const entry = await bytes.read(directory + countBytes + index * entryBytes, entryBytes);
    const tag = entry.getUint16(0, little);
    if (tag > IMAGE_LENGTH) break; // tags stand in rising order
    const isShort = entry.getUint16(2, little) === SHORT;
    const value = isShort ? entry.getUint16(valueAt, little) : entry.getUint32(valueAt, little);
    if (isReducedPage(tag, value)) isReduced = true;
    // The first field of a tag counts, as for every decoder.
    if (tag === IMAGE_WIDTH) size.width ||= value;
    if (tag === IMAGE_LENGTH) size.height ||= value;
  }
  if (!isReduced) return { ...size, isReduced, next: 0 };
  const next = await bytes.read(directory + countBytes + count * entryBytes, isBig ? 8 : 4);
  return { ...size, isReduced, next: offsetAt(next, 0, layout) };
}
