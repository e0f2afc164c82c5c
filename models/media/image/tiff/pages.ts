import type { Bytes } from '../../bytes/byte-writer.ts';
import {
  FIELDS_MAX,
  findDirectory,
  openTiffLayout,
  readEntry,
  readOffset,
  readWholeNumbers,
  type TiffLayout,
} from './layout.ts';

/** Kinds of pages that are no picture of their own: bits of NewSubfileType (TIFF 6.0, section 8). */
const REDUCED = 1;
const TRANSPARENCY_MASK = 4;
const NEW_SUBFILE_TYPE = 254;
const SUBFILE_TYPE = 255;
/** Value of the older SubfileType for a reduced copy. */
const OLD_REDUCED = 2;
/** Directories besides the chain of pages: Adobe's TIFF technical note 1. */
export const SUB_IFDS = 330;
const PAGES_MAX = 100_000;
const SUB_IFDS_MAX = 64;

/** Page of a TIFF or BigTIFF. */
export interface TiffPlace {
  readonly offset: number;
  /** Position of the offset of the next page. */
  readonly nextAt: number;
  /** Whether it is a full picture, not a reduced copy or a mask. */
  readonly isFull: boolean;
  /** Offsets of the directories outside the chain that belong to it. */
  readonly subOffsets: readonly number[];
}

/** Pages of a file that are pictures of their own. */
export interface TiffPages {
  /** Full pictures of the chain, or else those outside it, or else all pages. */
  readonly pictures: readonly TiffPlace[];
  /** First page of the chain. */
  readonly first: TiffPlace | undefined;
  /** Whether all pages of the chain are pictures. */
  readonly isPlain: boolean;
}

/** Finds the pages that are pictures, not reduced copies or masks. */
export function findTiffPictures(layout: TiffLayout): TiffPages {
  const pages = readPages(layout);
  const [first] = pages;
  const inChain = pages.filter(({ isFull }) => isFull);
  const outside = inChain.length > 0 ? [] : readSubPages(layout, pages).filter(({ isFull }) => isFull);
  const full = inChain.length > 0 ? inChain : outside;
  const pictures = full.length > 0 ? full : pages;
  return { pictures, first, isPlain: outside.length === 0 && pictures.length === pages.length };
}

/** Counts the pages of a TIFF that are pictures of their own; at least 1. */
export function countTiffPages(file: Bytes): number {
  const layout = openTiffLayout(file);
  return Math.max(1, layout ? findTiffPictures(layout).pictures.length : 0);
}

/** Returns the offsets of the directories in the chain of pages. */
export function pageOffsets(file: Bytes): readonly number[] {
  const layout = openTiffLayout(file);
  return layout ? readPages(layout).map(({ offset }) => offset) : [];
}

function readPages(layout: TiffLayout): TiffPlace[] {
  const pages: TiffPlace[] = [];
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

function readSubPages(layout: TiffLayout, pages: readonly TiffPlace[]): TiffPlace[] {
  const offsets = new Set(pages.flatMap(({ subOffsets }) => subOffsets).slice(0, PAGES_MAX));
  return [...offsets].flatMap((offset) => readPage(layout, offset) ?? []);
}

function readPage(layout: TiffLayout, offset: number): TiffPlace | null {
  const { view, isLittle } = layout;
  const place = findDirectory(layout, offset);
  if (!place || place.count > FIELDS_MAX || place.nextAt > view.byteLength) return null;
  const { entriesAt, entryBytes, nextAt } = place;
  let isFull = true;
  let subOffsets: number[] = [];
  for (let at = entriesAt; at < nextAt; at += entryBytes) {
    const tag = view.getUint16(at, isLittle);
    if (tag > SUB_IFDS) break; // tags stand in rising order
    if (tag !== NEW_SUBFILE_TYPE && tag !== SUBFILE_TYPE && tag !== SUB_IFDS) continue;
    const entry = readEntry(layout, at);
    if (!entry) continue;
    const numbers = readWholeNumbers(layout, { ...entry, count: Math.min(entry.count, SUB_IFDS_MAX) });
    if (tag === SUB_IFDS) subOffsets = numbers;
    else if (isReducedPage(tag, numbers[0] ?? 0)) isFull = false;
  }
  return { offset, nextAt, isFull, subOffsets };
}

/** Reports whether a field marks a page as a reduced copy or a mask. */
export function isReducedPage(tag: number, value: number): boolean {
  if (tag === NEW_SUBFILE_TYPE) return (value & (REDUCED | TRANSPARENCY_MASK)) !== 0;
  return tag === SUBFILE_TYPE && value === OLD_REDUCED;
}
