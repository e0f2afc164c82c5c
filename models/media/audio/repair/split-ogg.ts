import type { ByteReader } from '../../bytes/byte-reader.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio, wholeFile } from './audio-part.ts';
import {
  type ChecksumBudget,
  createChecksumBudget,
  OGG_PAGE_BYTES_MAX,
  type OggPage,
  readOggPage,
} from './ogg-page.ts';

/** Bytes that are walked at once, besides the page that begins in the last ones. */
const WINDOW_BYTES = 1_048_576;

interface ByteRange {
  readonly start: number;
  end: number;
}

/** Link of a chain: RFC 3533, 4. */
interface OggLink {
  /** Pages before the first sample. */
  readonly headers: ByteRange;
  /** Pages between damaged stretches. */
  readonly runs: ByteRange[];
  hasSamples: boolean;
}

/**
 * Splits an Ogg file into the links of its chain, and each link where pages are damaged. What follows damage keeps its
 * place by its pages' times. A file without any page whose checksum is right stays whole.
 */
export async function splitOgg(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const walker = new PageWalker(createChecksumBudget(bytes.size));
  for (let at = 0; at < bytes.size && !walker.isFull; ) {
    const part = await bytes.read(at, WINDOW_BYTES + OGG_PAGE_BYTES_MAX);
    at = walker.walk(part, at, bytes.size);
  }
  const parts = walker.links.flatMap((link) => getParts(file, link));
  if (parts.length === 0) return wholeFile(file);
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: walker.isCutOff || walker.isFull };
}

function getParts(file: Blob, { headers, runs }: OggLink): AudioPart[] {
  const [first, ...others] = runs;
  if (!first) return [];
  const head = file.slice(headers.start, headers.end);
  const whole =
    first.start === headers.end
      ? file.slice(headers.start, first.end)
      : new Blob([head, file.slice(first.start, first.end)]);
  return [
    { file: whole, position: 'next', lostBytes: first.start - headers.end },
    ...others.map(
      ({ start, end }): AudioPart => ({
        file: new Blob([head, file.slice(start, end)]),
        position: 'own-times',
      }),
    ),
  ];
}

class PageWalker {
  readonly links: OggLink[] = [];
  /** Number of runs of all links. */
  partCount = 0;
  /** Whether the file ends with a part of a page. */
  isCutOff = false;
  readonly #budget: ChecksumBudget;
  #isAfterFirstPage = false;
  #isAfterDamage = false;

  constructor(budget: ChecksumBudget) {
    this.#budget = budget;
  }

  /** Whether there are more parts than are read, or as many links, which may have none. */
  get isFull(): boolean {
    return Math.max(this.partCount, this.links.length) > PARTS_MAX;
  }

  /** Walks over a window. @returns the offset in the file at which the next one starts */
  walk(part: Uint8Array, offset: number, size: number): number {
    const isLast = offset + part.length >= size;
    const end = isLast ? part.length : Math.min(part.length, WINDOW_BYTES);
    let at = 0;
    while (at < end && !this.isFull) {
      const page = readOggPage(part, at, this.#budget);
      if (page) this.#add(page, offset + at);
      else {
        this.#isAfterDamage = true;
        this.isCutOff = true;
      }
      at = page ? at + page.bytes : nextCapture(part, at + 1);
    }
    return offset + at;
  }

  #add(page: OggPage, start: number): void {
    const end = start + page.bytes;
    this.isCutOff = false;
    if (page.isFirst && !this.#isAfterFirstPage) {
      this.links.push({ headers: { start, end }, runs: [], hasSamples: false });
    }
    this.#isAfterFirstPage = page.isFirst;
    const link = this.links.at(-1);
    if (!link) return;
    if (page.isHeader && !link.hasSamples && !this.#isAfterDamage) link.headers.end = end;
    else this.#addToRun(link, start, end);
    this.#isAfterDamage = false;
  }

  #addToRun(link: OggLink, start: number, end: number): void {
    link.hasSamples = true;
    const run = link.runs.at(-1);
    if (run && !this.#isAfterDamage) run.end = end;
    else {
      link.runs.push({ start, end });
      this.partCount += 1;
    }
  }
}

/** Finds the next byte at which a page may begin. */
function nextCapture(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x4f, from); at >= 0; at = bytes.indexOf(0x4f, at + 1)) {
    const isCut = at + 4 > bytes.length;
    if (isCut || (bytes[at + 1] === 0x67 && bytes[at + 2] === 0x67 && bytes[at + 3] === 0x53)) return at;
  }
  return bytes.length;
}
