import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { EXTENSION_INTRODUCER, walkGifBlocks } from './blocks.ts';
import { GRAPHIC_CONTROL } from './clear-transparency.ts';
import { isWholeGifImage } from './is-whole-image.ts';

const BLOCK_END = 0;
const TRAILER = 0x3b;

/**
 * Completes a GIF that ends after a frame: without its trailer (GIF89a, section 27), without the end of the frame's own
 * block, or within an extension that shows nothing.
 * @returns null for a file with an end, and for one that lacks samples
 */
export function completeGif(file: Bytes): Bytes | null {
  const { frames, isWhole, hasTrailer, lastAt, lacksBlockEnd } = walkGifBlocks(file);
  if (frames === 0 || hasTrailer) return null;
  if (isWhole) return concat([file, u8(TRAILER)]);
  if (file[lastAt] !== EXTENSION_INTRODUCER)
    return lacksBlockEnd && isWholeGifImage(file, lastAt) ? concat([file, u8(BLOCK_END, TRAILER)]) : null;
  // A graphic control belongs to a frame that is missing.
  const isControl = file[lastAt + 1] === undefined || file[lastAt + 1] === GRAPHIC_CONTROL;
  return isControl ? null : concat([file.subarray(0, lastAt), u8(TRAILER)]);
}
