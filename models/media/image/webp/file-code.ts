import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { completedFile, getAnimation, type ImageFileCode, shorterThan } from '../image-format.ts';
import { readWebpChunks, vp8xChunk, WEBP_FLAGS, type WebpChunk, writeWebp } from './chunks.ts';

/** Chunks behind the image, which only describe it: RFC 9649, 2.7.1.4 and 2.7.1.5. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['EXIF', 'XMP ']);

/** Chunks of samples: RFC 9649, 2.7.1.1 to 2.7.1.3. */
const SAMPLES: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ANMF']);

const FLAGS: Readonly<Record<string, number>> = { EXIF: WEBP_FLAGS.exif, 'XMP ': WEBP_FLAGS.xmp };

const HEAD_BYTES = 12;

const CHUNK_HEAD_BYTES = 8;

export const webpFileCode: ImageFileCode = {
  readSize: readWebpSize,
  readContents: (file) => getAnimation(readWebpChunks(file).filter(({ type }) => type === 'ANMF').length),
  readMetadata: readWebpMetadata,
  complete: (file) => completedFile(completeWebp(file), 'its last chunk'),
  async findMissingEnd(file) {
    const head = new DataView(await file.slice(0, 8).arrayBuffer());
    return shorterThan(file, head.getUint32(4, true) + 8);
  },
  embedMetadata: (file, metadata, size) =>
    metadata.icc || metadata.exif || metadata.xmp ? writeWebpMetadata(file, metadata, size) : [file],
};

/** Reads a WebP's size: RFC 9649, sections 2.5 (VP8), 2.6 (VP8L) and 2.7 (VP8X). */
async function readWebpSize(bytes: ByteWindow): Promise<ImageSize> {
  const chunk = (await bytes.read(12, 4)).getUint32(0);
  switch (chunk) {
    case 0x56503858: {
      // VP8X: 24-bit sizes less one
      const sizes = await bytes.read(24, 6);
      const size24 = (offset: number) =>
        sizes.getUint16(offset, true) + sizes.getUint8(offset + 2) * 0x10000 + 1;
      return { width: size24(0), height: size24(3) };
    }
    case 0x5650384c: {
      // VP8L: 14-bit sizes less one, after a signature byte
      const sizes = (await bytes.read(21, 4)).getUint32(0, true);
      return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503820: {
      // VP8: 14-bit sizes after frame tag and start code
      const sizes = await bytes.read(26, 4);
      return { width: sizes.getUint16(0, true) & 0x3fff, height: sizes.getUint16(2, true) & 0x3fff };
    }
    default:
      throw new OperationError(
        'bad_request',
        'The image is a damaged WebP: it starts with no VP8, VP8L or VP8X chunk.',
        { kind: 'damaged' },
      );
  }
}

/** Reads the metadata chunks: RFC 9649, 2.7.1.4 and 2.7.1.5. */
function readWebpMetadata(file: Bytes): ImageMetadata {
  const chunks = readWebpChunks(file);
  const getBody = (wanted: string) => chunks.find(({ type }) => type === wanted)?.body.slice();
  const [icc, exif, xmp] = [getBody('ICCP'), getBody('EXIF'), getBody('XMP ')];
  return { ...(icc ? { icc } : {}), ...(exif ? { exif } : {}), ...(xmp ? { xmp } : {}) };
}

/**
 * Puts metadata into a WebP without any, in the extended format of RFC 9649, 2.7.
 * @param size of the canvas, for a file not yet in the extended format
 * @returns the parts of the file in order
 */
export function writeWebpMetadata(
  file: Bytes,
  { icc, exif, xmp }: ImageMetadata,
  size: { width: number; height: number; hasAlpha: boolean },
): Bytes[] {
  const chunks = readWebpChunks(file);
  const found = chunks.find(({ type }) => type === 'VP8X');
  const head = found ?? vp8xChunk(size, size.hasAlpha ? WEBP_FLAGS.alpha : 0);
  const body = head.body.slice();
  body[0] =
    (body[0] ?? 0) | (icc ? WEBP_FLAGS.icc : 0) | (exif ? WEBP_FLAGS.exif : 0) | (xmp ? WEBP_FLAGS.xmp : 0);
  return writeWebp([
    { type: 'VP8X', body },
    ...getChunk('ICCP', icc),
    ...chunks.filter((chunk) => chunk !== found),
    ...getChunk('EXIF', exif),
    ...getChunk('XMP ', xmp),
  ]);
}

function getChunk(type: string, body: Bytes | undefined): WebpChunk[] {
  return body ? [{ type, body }] : [];
}

/**
 * Completes a WebP that ends after its samples: within a chunk that only describes the image, or before the padding of
 * its last chunk.
 * @returns null for a file with an end, and for one that lacks samples
 */
function completeWebp(file: Bytes): Bytes | null {
  if (file.length < HEAD_BYTES) return null;
  const stated = CHUNK_HEAD_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(4, true);
  if (stated <= file.length) return null;
  const chunks = readWebpChunks(file);
  const last = chunks.at(-1);
  const cutBytes = missingBytes(file, chunks);
  const whole = cutBytes > 0 ? chunks.slice(0, -1) : chunks;
  const endsWithin = cutBytes > 0 && last !== undefined && DESCRIPTIONS.has(last.type);
  // Only the padding of one byte is missing, where all chunks are whole.
  const endsBefore = cutBytes === 0 && stated === file.length + 1;
  if (!(endsWithin || endsBefore) || !whole.some(({ type }) => SAMPLES.has(type))) return null;
  const present = new Set(whole.map(({ type }) => type));
  return concat(writeWebp(whole.map((chunk) => withFlagsOf(chunk, present))));
}

/** Returns how many bytes the last chunk lacks. */
function missingBytes(file: Bytes, chunks: readonly WebpChunk[]): number {
  const last = chunks.at(-1);
  if (!last) return 0;
  const headAt = last.body.byteOffset - file.byteOffset - CHUNK_HEAD_BYTES;
  const stated = new DataView(file.buffer, file.byteOffset + headAt).getUint32(4, true);
  return stated - last.body.length;
}

/** Takes flags of chunks that are missing out of the header. */
function withFlagsOf(chunk: WebpChunk, present: ReadonlySet<string>): WebpChunk {
  if (chunk.type !== 'VP8X') return chunk;
  const body = chunk.body.slice();
  for (const [type, flag] of Object.entries(FLAGS)) if (!present.has(type)) body[0] = (body[0] ?? 0) & ~flag;
  return { ...chunk, body };
}
