import type { Bytes } from '../bytes/byte-writer.ts';

/** Kinds of pages that are no picture of their own: bits of NewSubfileType (TIFF 6.0, section 8). */
const REDUCED = 1;
const TRANSPARENCY_MASK = 4;
const NEW_SUBFILE_TYPE = 254;
const SUBFILE_TYPE = 255;
/** Value of the older SubfileType for a reduced copy. */
const OLD_REDUCED = 2;
const PAGES_MAX = 100_000;
const FIELDS_MAX = 5000;

/** Page of a TIFF or BigTIFF. */
interface Page {
  readonly offset: number;
  /** Position of the offset of the next page. */
  readonly nextAt: number;
  /** Whether it is a full picture, not a reduced copy or a mask. */
  readonly isFull: boolean;
}

interface Layout {
  readonly view: DataView;
  readonly isLittle: boolean;
  readonly isBig: boolean;
  /** Position of the offset of the first page. */
  readonly firstAt: number;
}

export interface TiffPages {
  /** Number of full pictures, or of all pages where none is full. */
  readonly count: number;
  /** Whether a reduced copy or a mask stands before the first full picture. */
  readonly beginsReduced: boolean;
}

/** Counts the pages of a TIFF that are pictures of their own. */
export function readTiffPages(file: Bytes): TiffPages {
  const layout = openLayout(file);
  const pages = layout ? readPages(layout) : [];
  const full = pages.filter(({ isFull }) => isFull);
  return {
    count: Math.max(1, full.length || pages.length),
    beginsReduced: full.length > 0 && pages[0]?.isFull === false,
  };
}

/**
 * Takes reduced copies and masks out of the chain of a TIFF's pages, in place, so that every decoder finds the full
 * pictures only. A file without a full picture stays as it is.
 */
export function unlinkReducedPages(file: Bytes): void {
  const layout = openLayout(file);
  const pages = layout ? readPages(layout) : [];
  const full = pages.filter(({ isFull }) => isFull);
  if (!layout || full.length === 0 || full.length === pages.length) return;
  let linkAt = layout.firstAt;
  for (const { offset, nextAt } of full) {
    writeOffset(layout, linkAt, offset);
    linkAt = nextAt;
  }
  if (linkAt + (layout.isBig ? 8 : 4) <= file.length) writeOffset(layout, linkAt, 0);
}

function openLayout(file: Bytes): Layout | null {
  if (file.length < 16) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  const version = view.getUint16(2, isLittle);
  if (version !== 42 && version !== 43) return null;
  return { view, isLittle, isBig: version === 43, firstAt: version === 43 ? 8 : 4 };
}

function readPages(layout: Layout): Page[] {
  const pages: Page[] = [];
  const seen = new Set<number>();
  for (let at = layout.firstAt; pages.length < PAGES_MAX; ) {
    const offset = readOffset(layout, at);
    if (offset === 0 || seen.has(offset)) return pages;
    seen.add(offset);
    const page = readPage(layout, offset);
    if (!page) return pages;
    pages.push(page);
    at = page.nextAt;
  }
  return pages;
}

function readPage({ view, isLittle, isBig }: Layout, offset: number): Page | null {
  const [countBytes, entryBytes, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  if (offset + countBytes > view.byteLength) return null;
  const count = isBig ? Number(view.getBigUint64(offset, isLittle)) : view.getUint16(offset, isLittle);
  const nextAt = offset + countBytes + count * entryBytes;
  if (count > FIELDS_MAX || nextAt > view.byteLength) return null;
  let isFull = true;
  for (let entry = offset + countBytes; entry < nextAt; entry += entryBytes) {
    const tag = view.getUint16(entry, isLittle);
    if (tag > SUBFILE_TYPE) break; // tags stand in rising order
    const isShort = view.getUint16(entry + 2, isLittle) === 3;
    const value = isShort
      ? view.getUint16(entry + valueAt, isLittle)
      : view.getUint32(entry + valueAt, isLittle);
    if (isReducedPage(tag, value)) isFull = false;
  }
  return { offset, nextAt, isFull };
}

/** Reports whether a field marks a page as a reduced copy or a mask. */
export function isReducedPage(tag: number, value: number): boolean {
  if (tag === NEW_SUBFILE_TYPE) return (value & (REDUCED | TRANSPARENCY_MASK)) !== 0;
  return tag === SUBFILE_TYPE && value === OLD_REDUCED;
}

function readOffset({ view, isLittle, isBig }: Layout, at: number): number {
  if (at + (isBig ? 8 : 4) > view.byteLength) return 0;
  return isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
}

function writeOffset({ view, isLittle, isBig }: Layout, at: number, offset: number): void {
  if (isBig) view.setBigUint64(at, BigInt(offset), isLittle);
  else view.setUint32(at, offset, isLittle);
}
