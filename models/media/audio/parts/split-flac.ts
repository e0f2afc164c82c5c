import { type ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import {
  type FlacFrameHead,
  type FlacHeader,
  firstSampleOf,
  flacFrameHeadAt,
  readFlacHeader,
} from '../formats/flac.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';

/** Bytes that are walked at once, besides a head that begins in the last ones. */
const WINDOW_BYTES = 1_048_576;
const MARGIN_BYTES = 64;
/** Start of a file: `fLaC` and the head of its first block, 34 bytes long, which may be its last. */
const SIGNATURE = [0x66, 0x4c, 0x61, 0x43] as const;
/** Place of the number of samples and the checksum in a file: RFC 9639, 8.2. */
const TOTAL_AT = 21;
const TOTAL_BYTES = 21;

/** Frames of one file that follow each other by their numbers. */
interface FlacRun {
  readonly start: number;
  end: number;
  readonly firstSample: number;
}

/** File that others may be joined to. */
interface FlacFile {
  readonly header: FlacHeader;
  readonly start: number;
  readonly runs: FlacRun[];
}

/**
 * Splits FLAC files that were joined, and each of them where frames are missing or cannot be told: frames carry
 * numbers, so what follows damage keeps its place.
 * @throws OperationError `bad_request` when the header has no end
 */
export async function splitFlac(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const files: FlacFile[] = [];
  for (let next: number | null = 0; next !== null && files.length <= PARTS_MAX; ) {
    const header: FlacHeader | null = await readFlacHeader(bytes, next).catch((thrown: unknown) => {
      // The first header has to be there.
      if (next === 0) throw thrown;
      return null;
    });
    if (!header) break;
    const walker: FlacWalker = new FlacWalker(header);
    let at: number = header.firstFrame;
    while (at < bytes.size && walker.nextFile === null && walker.runs.length <= PARTS_MAX) {
      at = walker.walk(await bytes.read(at, WINDOW_BYTES + MARGIN_BYTES), at, bytes.size);
    }
    files.push({ header, start: next, runs: walker.finish(walker.nextFile ?? bytes.size) });
    next = walker.nextFile;
  }
  const parts: AudioPart[] = [];
  for (const each of files) parts.push(...(await partsOf(file, each)));
  if (parts.length === 0) throw damagedAudio('it holds no frames');
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: parts.length > PARTS_MAX };
}

async function partsOf(file: Blob, { header, start, runs }: FlacFile): Promise<AudioPart[]> {
  const [first, ...others] = runs;
  if (!first) return [];
  if (others.length === 0 && first.start === header.firstFrame) {
    return [{ file: file.slice(start, first.end), position: 'next' }];
  }
  const head = await openEndedHead(file.slice(start, header.firstFrame));
  return runs.map(
    (run): AudioPart => ({
      file: new Blob([head, file.slice(run.start, run.end)]),
      position: run === first ? 'next' : (run.firstSample - first.firstSample) / header.info.sampleRate,
      ...(run === first && {
        lostBytes: run.start - header.firstFrame,
        firstSeconds: run.firstSample / header.info.sampleRate,
      }),
    }),
  );
}

/** Returns the head of a file without the number of samples and their checksum, which a part of it does not have. */
async function openEndedHead(head: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await head.arrayBuffer());
  bytes[TOTAL_AT] = bytes[TOTAL_AT] & 0xf0;
  bytes.fill(0, TOTAL_AT + 1, TOTAL_AT + TOTAL_BYTES);
  return new Blob([bytes]);
}

interface FoundFrame extends FlacFrameHead {
  readonly offset: number;
}

/** Walk over the frames of one file. */
class FlacWalker {
  readonly runs: FlacRun[] = [];
  /** Start of the file that follows; null while none was found. */
  nextFile: number | null = null;
  readonly #header: FlacHeader;
  #last: FoundFrame | null = null;
  /** Frame that does not follow the last one: the first after damage, or bytes that look like a head. */
  #candidate: FoundFrame | null = null;

  constructor(header: FlacHeader) {
    this.#header = header;
  }

  /** Walks over a window. @returns the offset in the file at which the next one starts */
  walk(part: Uint8Array, offset: number, size: number): number {
    const isLast = offset + part.length >= size;
    const end = isLast ? part.length : Math.min(part.length, WINDOW_BYTES);
    for (let at = 0; at < end; at++) {
      const byte = part[at];
      if (byte === 0xff) {
        const head = flacFrameHeadAt(part, at);
        if (head) this.#add({ ...head, offset: offset + at });
      } else if (byte === SIGNATURE[0] && isSignature(part, at)) {
        this.nextFile = offset + at;
        return offset + end;
      }
    }
    return offset + end;
  }

  /** Ends the last run. @param end of the file */
  finish(end: number): FlacRun[] {
    const run = this.runs.at(-1);
    if (run) run.end = end;
    return this.runs;
  }

  #add(frame: FoundFrame): void {
    if (!this.#last && frame.offset === this.#header.firstFrame) this.#start(frame);
    else if (this.#last && follows(this.#last, frame)) {
      this.#last = frame;
      this.#candidate = null;
    } else if (this.#candidate && follows(this.#candidate, frame)) {
      const run = this.runs.at(-1);
      // The last frame before damage has no known end.
      if (run && this.#last) run.end = this.#last.offset;
      this.#start(this.#candidate);
      this.#last = frame;
      this.#candidate = null;
    } else if (!this.#last || this.#sampleOf(frame) > this.#sampleOf(this.#last)) {
      this.#candidate = frame;
    }
  }

  #start(frame: FoundFrame): void {
    this.#last = frame;
    const last = this.runs.at(-1);
    if (last && last.end <= last.start) this.runs.pop();
    this.runs.push({ start: frame.offset, end: frame.offset, firstSample: this.#sampleOf(frame) });
  }

  #sampleOf(frame: FoundFrame): number {
    return firstSampleOf(frame, this.#header.info);
  }
}

function isSignature(bytes: Uint8Array, at: number): boolean {
  const isMark = SIGNATURE.every((byte, index) => bytes[at + index] === byte);
  const [type = 0xff, high, middle, low] = bytes.subarray(at + 4, at + 8);
  return isMark && (type & 0x7f) === 0 && high === 0 && middle === 0 && low === 34;
}

function follows(before: FlacFrameHead, { number, isVariable, rateCode }: FlacFrameHead): boolean {
  const step = before.isVariable ? before.samples : 1;
  return number === before.number + step && isVariable === before.isVariable && rateCode === before.rateCode;
}
