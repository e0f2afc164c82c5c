import type { Bytes } from '../../bytes/byte-writer.ts';
import { listEntries, openTiff, readOffset, readWholeNumbers, type TiffStream } from './directory.ts';

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
export function findTiffPictures(stream: TiffStream): TiffPages {
  const pages = readPages(stream);
  const [first] = pages;
  const inChain = pages.filter(({ isFull }) => isFull);
  const outside = inChain.length > 0 ? [] : readSubPages(stream, pages).filter(({ isFull }) => isFull);
  const full = inChain.length > 0 ? inChain : outside;
  const pictures = full.length > 0 ? full : pages;
  return { pictures, first, isPlain: outside.length === 0 && pictures.length === pages.length };
}

/** Counts the pages of a TIFF that are pictures of their own; at least 1. */
export function countTiffPages(file: Bytes): number {
  const stream = openTiff(file);
  return Math.max(1, stream ? findTiffPictures(stream).pictures.length : 0);
}

/** Returns the offsets of the directories in the chain of pages. */
export function pageOffsets(file: Bytes): readonly number[] {
  const stream = openTiff(file);
  return stream ? readPages(stream).map(({ offset }) => offset) : [];
}

function readPages(stream: TiffStream): TiffPlace[] {
  const pages: TiffPlace[] = [];
  const seen = new Set<number>();
  // The directories of a real file do not overlap.
  let bytesLeft = stream.view.byteLength;
  for (let at = stream.firstAt; pages.length < PAGES_MAX; ) {
    const offset = readOffset(stream.view, at, stream);
    if (offset === 0 || seen.has(offset)) return pages;
    seen.add(offset);
    const page = readPage(stream, offset);
    if (!page || page.nextAt - offset > bytesLeft) return pages;
    bytesLeft -= page.nextAt - offset;
    pages.push(page);
    at = page.nextAt;
  }
  return pages;
}

function readSubPages(stream: TiffStream, pages: readonly TiffPlace[]): TiffPlace[] {
  const offsets = new Set(pages.flatMap(({ subOffsets }) => subOffsets).slice(0, PAGES_MAX));
  return [...offsets].flatMap((offset) => readPage(stream, offset) ?? []);
}

function readPage(stream: TiffStream, offset: number): TiffPlace | null {
  const { view } = stream;
  const { entries, nextAt } = listEntries(stream, offset) ?? {
    entries: [],
    nextAt: Number.POSITIVE_INFINITY,
  };
  if (nextAt > view.byteLength) return null;
  let isFull = true;
  let subOffsets: number[] = [];
  for (const entry of entries) {
    const { tag } = entry;
    if (tag === SUB_IFDS) subOffsets = readWholeNumbers(view, entry, stream, SUB_IFDS_MAX);
    else if (isReducedPage(tag, readWholeNumbers(view, entry, stream, 1)[0] ?? 0)) isFull = false;
  }
  return { offset, nextAt, isFull, subOffsets };
}

/** Reports whether a field marks a page as a reduced copy or a mask. */
export function isReducedPage(tag: number, value: number): boolean {
  if (tag === NEW_SUBFILE_TYPE) return (value & (REDUCED | TRANSPARENCY_MASK)) !== 0;
  return tag === SUBFILE_TYPE && value === OLD_REDUCED;
}
