import { OperationError } from '../../../core/operation/errors.ts';
import { readFourCc } from '../../bytes/text.ts';
import { endOfAsf } from '../formats/asf.ts';
import type { ByteReader } from '../formats/byte-reader.ts';
import { endOfApe, endOfTrueAudio } from '../formats/lossless.ts';
import { PARTS_MAX, type SplitAudio, splitAt, tagBytesAt } from './audio-part.ts';

const HEAD_BYTES = 24;
const CHUNK_HEAD_BYTES = 12;
const CHUNKS_MAX = 10_000;
/** Length that programs declare which do not know it, since they write to a pipe. */
const UNKNOWN_BYTES = 0x7fff_f000;
/** Share of a file behind its declared end that is no remainder of what wrote it. */
const BEHIND_MAX = 0.05;
/** Tags between two files. */
const TAGS_MAX = 4;
/** Bytes that tell the length of a tag. */
const APE_TAG_HEAD_BYTES = 32;

/** Container that declares its length. */
interface Declaration {
  /** Start of a file, as text; a dot is any byte. */
  readonly mark: RegExp;
  /** Returns the place behind a file that starts at another; null where it leaves its length open. */
  getEnd(bytes: ByteReader, start: number): Promise<number | null>;
}

/** Returns the end of a file whose one chunk states its size in 4 bytes behind its name. */
function chunkEnd(isLittle: boolean): Declaration['getEnd'] {
  return async (bytes, start) => {
    const size = (await bytes.view(start, 8)).getUint32(4, isLittle);
    return size < HEAD_BYTES || size >= UNKNOWN_BYTES ? null : start + 8 + size;
  };
}

const DECLARATIONS = {
  wav: { mark: /^RIFF.{4}WAVE/s, getEnd: chunkEnd(true) },
  aiff: { mark: /^FORM.{4}AIF[FC]/s, getEnd: chunkEnd(false) },
  avi: { mark: /^RIFF.{4}AVI /s, getEnd: aviEnd },
  w64: {
    mark: /^riff\.\u0091\u00cf/,
    async getEnd(bytes, start) {
      const size = Number((await bytes.view(start, HEAD_BYTES)).getBigUint64(16, true));
      return size <= HEAD_BYTES || size > bytes.size - start ? null : start + size;
    },
  },
  au: {
    mark: /^\.snd\0/,
    async getEnd(bytes, start) {
      const head = await bytes.view(start, 12);
      const size = head.getUint32(8);
      return size >= UNKNOWN_BYTES ? null : start + head.getUint32(4) + size;
    },
  },
  caf: { mark: /^caff\0/, getEnd: cafEnd },
  tta: { mark: /^TTA1/, getEnd: endOfTrueAudio },
  ape: { mark: /^MAC /, getEnd: endOfApe },
  asf: { mark: /^0&\u00b2u\u008ef\u00cf/, getEnd: endOfAsf },
} as const satisfies Record<string, Declaration>;

/** Returns the end of an AVI file, with the chunks by which OpenDML continues it. */
async function aviEnd(bytes: ByteReader, start: number): Promise<number | null> {
  let end = await chunkEnd(true)(bytes, start);
  for (let chunks = 0; end !== null && chunks < CHUNKS_MAX; chunks++) {
    if (!/^RIFF.{4}AVIX/s.test(String.fromCharCode(...(await bytes.read(end, CHUNK_HEAD_BYTES))))) break;
    end = await chunkEnd(true)(bytes, end);
  }
  return end;
}

/** Returns the end of the chunks of a CAF file, of which the last may leave its length open. */
async function cafEnd(bytes: ByteReader, start: number): Promise<number | null> {
  let at = start + 8;
  for (let chunks = 0; at + CHUNK_HEAD_BYTES <= bytes.size && chunks < CHUNKS_MAX; chunks++) {
    const head = await bytes.view(at, CHUNK_HEAD_BYTES);
    const size = Number(head.getBigInt64(4));
    if (readFourCc(head, 0) === 'caff') return at;
    if (size < 0) return null;
    at += CHUNK_HEAD_BYTES + size;
  }
  return null;
}

/**
 * Splits files that were joined, each of which declares its length. What else is behind a file is no audio, or of a
 * length that its header does not know: it is left out, and counted where it is much.
 */
export async function splitDeclared(
  file: Blob,
  bytes: ByteReader,
  container: keyof typeof DECLARATIONS,
): Promise<SplitAudio> {
  const { mark, getEnd }: Declaration = DECLARATIONS[container];
  const starts = [0];
  let trailingBytes = 0;
  for (let at = 0; starts.length <= PARTS_MAX; ) {
    const end = await getEnd(bytes, at).catch(noEnd);
    // A crafted length of nothing would find the same file again.
    if (end === null || end <= at || end >= file.size) break;
    const next = await findMark(bytes, end, mark);
    if (next === null) {
      trailingBytes = await countRest(bytes, end);
      break;
    }
    starts.push(next);
    at = next;
  }
  return { ...splitAt(file, starts), trailingBytes };
}

/** A header that makes no sense states no end; readers of its part name the fault. */
function noEnd(thrown: unknown): null {
  if (thrown instanceof OperationError) return null;
  throw thrown;
}

/**
 * Finds the next file, which tags may precede. Chunks begin at even offsets, but some programs leave out the padding.
 */
async function findMark(bytes: ByteReader, end: number, mark: RegExp): Promise<number | null> {
  for (const next of [end, end + 1, await endOfTags(bytes, end)]) {
    if (mark.test(String.fromCharCode(...(await bytes.read(next, HEAD_BYTES))))) return next;
  }
  return null;
}

async function endOfTags(bytes: ByteReader, start: number): Promise<number> {
  let at = start;
  for (let tags = 0; tags < TAGS_MAX; tags++) {
    const tagBytes = tagBytesAt(await bytes.read(at, APE_TAG_HEAD_BYTES), 0, bytes.size - at);
    if (tagBytes === 0) break;
    at += tagBytes;
  }
  return at;
}

/** Returns the bytes behind the end of a file, tags aside; 0 where they are few. */
async function countRest(bytes: ByteReader, end: number): Promise<number> {
  const rest = bytes.size - (await endOfTags(bytes, end));
  return rest > BEHIND_MAX * bytes.size ? rest : 0;
}
