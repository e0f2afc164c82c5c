import { OperationError } from '../../../core/operation/errors.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { completedFile, getAnimation, type ImageFileCode } from '../format/image-format.ts';
import {
  countGifFrames,
  EXTENSION_INTRODUCER,
  GRAPHIC_CONTROL,
  IMAGE_SEPARATOR,
  walkGifBlocks,
} from './blocks.ts';

/** Length of an image descriptor: GIF89a, section 20. */
const DESCRIPTOR_BYTES = 10;

const CODES_MAX = 4096;

const HEAD_BYTES = 13;

const BLOCK_END = 0;

const TRAILER = 0x3b;

export const gifFileCode: ImageFileCode = {
  /** Reads the logical screen size: GIF89a, section 18. Frames may be smaller, never larger. */
  async readSize(bytes) {
    const view = await bytes.read(6, 4);
    return { width: view.getUint16(0, true), height: view.getUint16(2, true) };
  },
  assertHeader: (file) => assertGifImage(new ByteWindow(file)),
  readContents: (file) => getAnimation(countGifFrames(file)),
  complete: (file) => completedFile(completeGif(file), 'its trailer'),
};

/**
 * Completes a GIF that ends after a frame: without its trailer (GIF89a, section 27), without the end of the frame's own
 * block, or within an extension that shows nothing.
 * @returns null for a file with an end, and for one that lacks samples
 */
function completeGif(file: Bytes): Bytes | null {
  const { frames, isWhole, hasTrailer, lastAt, lacksBlockEnd } = walkGifBlocks(file);
  if (frames === 0 || hasTrailer) return null;
  if (isWhole) return concat([file, u8(TRAILER)]);
  if (file[lastAt] !== EXTENSION_INTRODUCER)
    return lacksBlockEnd && isWholeGifImage(file, lastAt) ? concat([file, u8(BLOCK_END, TRAILER)]) : null;
  // A graphic control belongs to a frame that is missing.
  const isControl = file[lastAt + 1] === undefined || file[lastAt + 1] === GRAPHIC_CONTROL;
  return isControl ? null : concat([file.subarray(0, lastAt), u8(TRAILER)]);
}

/**
 * Checks that only extensions stand between the head of a GIF and its first image: GIF89a, sections 18 to 20 and 23 on.
 * @throws OperationError `bad_request` when there is no image, or it begins beyond half a megabyte
 */
async function assertGifImage(bytes: ByteWindow): Promise<void> {
  const flags = (await bytes.read(10, 1)).getUint8(0);
  let at = HEAD_BYTES + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (;;) {
    const block = (await bytes.read(at, 1)).getUint8(0);
    if (block === IMAGE_SEPARATOR) return;
    if (block !== EXTENSION_INTRODUCER)
      throw new OperationError('bad_request', 'The image is a damaged GIF: it has no frame.', {
        kind: 'damaged',
      });
    at += 2;
    for (let length = -1; length !== 0; at += 1 + length) length = (await bytes.read(at, 1)).getUint8(0);
  }
}

/**
 * Reports whether the last image of a GIF has all its pixels, although the file ends behind them: adds up what its
 * codes stand for, which is variable-length LZW (GIF89a, appendix F).
 * @param start position of its descriptor
 */
function isWholeGifImage(file: Uint8Array, start: number): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (start + DESCRIPTOR_BYTES >= file.length) return false;
  const pixels = view.getUint16(start + 5, true) * view.getUint16(start + 7, true);
  const flags = view.getUint8(start + 9);
  const at = start + DESCRIPTOR_BYTES + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  return countPixels(file, at + 1, file[at] ?? 0) >= pixels;
}

/** Adds up the pixels of codes until they end. @param codeBits of the colours */
function countPixels(file: Uint8Array, start: number, codeBits: number): number {
  if (codeBits < 1 || codeBits > 8) return 0;
  const clear = 1 << codeBits;
  const lengths = new Uint16Array(CODES_MAX).fill(1, 0, clear);
  let [pixels, bits, next, previous] = [0, codeBits + 1, clear + 2, 0];
  for (const code of getCodes(file, start, () => bits)) {
    if (code === clear + 1) return pixels;
    if (code === clear) {
      [bits, next, previous] = [codeBits + 1, clear + 2, 0];
      continue;
    }
    if (code > next || (code === next && previous === 0)) return pixels;
    // A code that is not yet there stands for the previous piece with its own first pixel.
    const length = code === next ? previous + 1 : lengths[code];
    if (previous > 0 && next < CODES_MAX) {
      lengths[next++] = previous + 1;
      if (next === 1 << bits && bits < 12) bits++;
    }
    pixels += length;
    previous = length;
  }
  return pixels;
}

/** Yields the codes in the blocks of an image; of the last block, those that are there. */
function* getCodes(file: Uint8Array, start: number, getBits: () => number): Generator<number> {
  let [held, heldBits] = [0, 0];
  for (let at = start; at < file.length && file[at] !== 0; ) {
    const end = Math.min(file.length, at + 1 + file[at]);
    for (at += 1; at < end; at++) {
      held |= file[at] << heldBits;
      heldBits += 8;
      while (heldBits >= getBits()) {
        const bits = getBits();
        yield held & ((1 << bits) - 1);
        held >>>= bits;
        heldBits -= bits;
      }
    }
  }
}
