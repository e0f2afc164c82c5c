import { OperationError } from '../../../core/operation/errors.ts';
import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { perInchOf } from '../../bytes/print-units.ts';
import { readFourCc } from '../../bytes/read-four-cc.ts';
import { animationOf, completedFile } from '../format/file-parts.ts';
import type { ImageFileCode } from '../format/image-format.ts';
import { withoutMarker } from '../format/missing-end.ts';
import { iteratePngChunks } from './chunks.ts';
import { completePng } from './complete-end.ts';
import { isGreyPng, readPngEncoding } from './read-encoding.ts';
import { readPngMetadata } from './read-metadata.ts';
import { isDeepPng } from './read-png.ts';
import { replacePngProfile } from './replace-profile.ts';
import { writePngMetadata } from './write-metadata.ts';

const IHDR = 0x49484452;
/** Length of the signature and IHDR of a PNG, and of a chunk without its body. */
const HEAD_BYTES = 33;
const CHUNK_BYTES = 12;
/** Limit on chunks before the samples. */
const CHUNKS_MAX = 64;
/** Unit of `pHYs`. */
const METRE = 1;

export const pngFileCode: ImageFileCode = {
  readSize: readPngSize,
  isAnimated: announcesFrames,
  readContents: (file) => animationOf(countFrames(file)),
  readMetadata: readPngMetadata,
  readResolution: readPhysicalSize,
  readEncoding: (file) => readPngEncoding(file)?.encoding ?? null,
  outranksProfile: (file) => readPngEncoding(file)?.outranksProfile ?? false,
  isGrey: isGreyPng,
  complete: (file) => completedFile(completePng(file), 'its last chunk'),
  findMissingEnd: (file) => withoutMarker(file, 'IEND'),
  embedMetadata: writePngMetadata,
  replaceProfile: (file, icc) =>
    icc && isGreyPng(file) && isDeepPng(file) ? null : replacePngProfile(file, icc),
};

/** Reads the size from IHDR, which must be the first chunk: PNG, third edition, 11.2.1. */
async function readPngSize(bytes: ByteWindow): Promise<ImageSize> {
  const view = await bytes.read(8, 16);
  if (view.getUint32(4) !== IHDR) {
    throw new OperationError(
      'bad_request',
      'The image is a damaged PNG: it does not start with an IHDR chunk.',
      { kind: 'damaged' },
    );
  }
  return { width: view.getUint32(8), height: view.getUint32(12) };
}

/** Looks for `acTL` before the samples: PNG, third edition, 11.3.6.1. */
async function announcesFrames(bytes: ByteWindow): Promise<boolean> {
  let at = HEAD_BYTES;
  for (let count = 0; count < CHUNKS_MAX && at + 8 <= bytes.size; count++) {
    const chunk = await bytes.read(at, 8);
    const type = readFourCc(chunk, 4);
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL';
    at += CHUNK_BYTES + chunk.getUint32(0);
  }
  return false;
}

/**
 * Counts the frames of a PNG by its `acTL` chunk, which must precede the samples: PNG, third edition, 11.3.6.1. At
 * least 1.
 */
function countFrames(file: Bytes): number {
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') return 1;
    if (type === 'acTL')
      return body.length >= 4 ? Math.max(1, new DataView(body.buffer, body.byteOffset).getUint32(0)) : 1;
  }
  return 1;
}

/** Reads pHYs: PNG, third edition, 11.3.4.3. */
function readPhysicalSize(file: Bytes): PrintResolution | undefined {
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') return undefined;
    if (type !== 'pHYs' || body.length < 9 || body[8] !== METRE) continue;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    return { x: perInchOf(view.getUint32(0)), y: perInchOf(view.getUint32(4)) };
  }
  return undefined;
}
