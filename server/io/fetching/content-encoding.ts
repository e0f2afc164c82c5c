import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { atMost } from '../../base/streams.ts';
import { decodeZstd } from './decode-zstd.ts';
import { FetchFault } from './fetch-fault.ts';

type Bytes = AsyncIterable<Uint8Array>;
type Decoder = (coded: Bytes) => Bytes;
type Decompressor = ReturnType<typeof createGunzip>;

/** Decoders of the codings that browsers decode. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: (coded) => decompress(coded, createGunzip()),
  'x-gzip': (coded) => decompress(coded, createGunzip()),
  deflate: decodeDeflate,
  br: (coded) => decompress(coded, createBrotliDecompress()),
  zstd: decodeZstd,
};
/** Codings of HTTP that nothing decodes. Any other name is no coding, and its file is sent as it is. */
const UNREADABLE: ReadonlySet<string> = new Set([
  ...['compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip'],
]);
/** More of them only serve to multiply a file's size. */
const CODINGS_MAX = 3;
/** Share by which data that does not compress may grow, and bytes of headers. */
const OVERHEAD = { share: 1.01, bytes: 65_536 };

/**
 * Parses Content-Encoding as browsers do: names that are no coding, such as `identity`, `none`, `utf-8` or
 * `aws-chunked`, say nothing of the bytes.
 * @returns the codings in the order of their application
 * @throws FetchFault for a coding that nothing decodes, or for too many
 */
export function parseContentEncoding(header: string | undefined): string[] {
  const names = (header ?? '').toLowerCase().split(',');
  const codings = names
    .map((name) => name.trim())
    .filter((name) => Object.hasOwn(DECODERS, name) || UNREADABLE.has(name));
  const unreadable = codings.find((name) => UNREADABLE.has(name));
  if (unreadable) {
    throw new FetchFault(
      `the server sends it compressed (Content-Encoding: ${unreadable}). Serve it as gzip, br, zstd or uncompressed`,
    );
  }
  if (codings.length > CODINGS_MAX) {
    throw new FetchFault(
      `the server sends it compressed more than ${CODINGS_MAX} times. Serve it uncompressed`,
    );
  }
  return codings;
}

/** Returns the most bytes that a file of at most `bytesMax` has while it is coded. */
export function codedBytesMax(codings: readonly string[], bytesMax: number): number {
  return codings.length === 0 ? bytesMax : Math.ceil(bytesMax * OVERHEAD.share) + OVERHEAD.bytes;
}

/**
 * Decodes a body as a stream. The transfer and what lies between two codings are limited like the file, so that a small
 * transfer costs no more than the largest file; the reader must limit the file itself.
 * @param codings of `parseContentEncoding`
 * @throws FetchFault when the body is not of its codings, or `tooLarge`
 */
export function decodeContent(
  body: Bytes,
  codings: readonly string[],
  { bytesMax, tooLarge }: { readonly bytesMax: number; tooLarge(): Error },
): Bytes {
  const limit = codedBytesMax(codings, bytesMax);
  return codings.reduceRight<Bytes>(
    (coded, coding) => decodeCoding(atMost(coded, limit, tooLarge), coding),
    body,
  );
}

/** Decodes one coding. Errors of its source pass unchanged. */
async function* decodeCoding(source: Bytes, coding: string): AsyncGenerator<Uint8Array> {
  let isSourceBroken = false;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (thrown) {
      isSourceBroken = true;
      throw thrown;
    }
  }
  try {
    yield* DECODERS[coding](watched());
  } catch (cause) {
    if (isSourceBroken || cause instanceof FetchFault) throw cause;
    throw new FetchFault(
      `the server names Content-Encoding: ${coding}, but what it sends is not, or is damaged. Serve it uncompressed`,
      { cause },
    );
  }
}

async function* decompress(coded: Bytes, decompressor: Decompressor): AsyncGenerator<Uint8Array> {
  // The reader below receives every error.
  pipeline(coded, decompressor).catch(() => {});
  try {
    yield* decompressor;
  } finally {
    decompressor.destroy();
  }
}

/** Decodes `deflate`, which servers send with the header of zlib, and some without. */
async function* decodeDeflate(coded: Bytes): AsyncGenerator<Uint8Array> {
  const pieces = coded[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return;
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  const hasHeader = ((first.value[0] ?? 0) & 0x0f) === 8;
  yield* decompress(whole(), hasHeader ? createInflate() : createInflateRaw());
}
