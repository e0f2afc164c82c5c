import { OperationError } from '../../../core/operation/errors.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { completedFile, getAnimation, type ImageFileCode } from '../image-format.ts';
import {
  countGifFrames,
  DESCRIPTOR_BYTES,
  EXTENSION_INTRODUCER,
  type GifBlock,
  GRAPHIC_CONTROL,
  getTableBytes,
  HEAD_BYTES,
  IMAGE_SEPARATOR,
  joinSubBlocks,
  readGifBlocks,
  TRAILER,
} from './blocks.ts';
import { unpackGifLzw } from './lzw.ts';
import { readGifMetadata, writeGifMetadata } from './metadata.ts';

const BLOCK_END = 0;

/** Largest image that is decompressed to see whether it is whole. */
const PIXELS_MAX = 120_000_000;

export const gifFileCode: ImageFileCode = {
  /**
   * Reads the logical screen size (GIF89a, section 18), or that of the first frame where it is larger, as for a screen
   * of 0 x 0: all decoders extend the screen by it, and cut off later frames.
   */
  async readSize(bytes) {
    const screen = await bytes.read(6, 4);
    const image = await bytes.read(await findFirstImage(bytes), DESCRIPTOR_BYTES);
    const side = (at: number) =>
      Math.max(screen.getUint16(at, true), image.getUint16(1 + at, true) + image.getUint16(5 + at, true));
    return { width: side(0), height: side(2) };
  },
  assertHeader: async (file) => void (await findFirstImage(new ByteWindow(file))),
  readContents: (file) => getAnimation(countGifFrames(file)),
  complete: (file) => completedFile(completeGif(file), 'its trailer'),
  readMetadata: readGifMetadata,
  embedMetadata: writeGifMetadata,
};

/**
 * Completes a GIF that ends after a frame: without its trailer (GIF89a, section 27), without the end of the frame's own
 * block, or within an extension that shows nothing.
 * @returns null for a file with an end, and for one that lacks samples
 */
function completeGif(file: Bytes): Bytes | null {
  let last: GifBlock | undefined;
  let hasImage = false;
  for (const block of readGifBlocks(file)) {
    last = block;
    hasImage ||= block.isImage;
  }
  if (!last || !hasImage || file[last.end] === TRAILER) return null;
  if (last.isWhole) return concat([file, u8(TRAILER)]);
  if (last.isImage)
    return last.end === file.length && isWholeImage(file, last)
      ? concat([file, u8(BLOCK_END, TRAILER)])
      : null;
  // A graphic control belongs to a frame that is missing.
  const isControl = last.label === undefined || last.label === GRAPHIC_CONTROL;
  return isControl ? null : concat([file.subarray(0, last.at), u8(TRAILER)]);
}

/**
 * Finds the first image of a GIF. Only extensions stand between its head and that: GIF89a, sections 18 to 20 and 23 on.
 * @throws OperationError `bad_request` when there is no image, or it begins beyond half a megabyte
 */
async function findFirstImage(bytes: ByteWindow): Promise<number> {
  let at = HEAD_BYTES + getTableBytes((await bytes.read(10, 1)).getUint8(0));
  for (;;) {
    const block = (await bytes.read(at, 1)).getUint8(0);
    if (block === IMAGE_SEPARATOR) return at;
    if (block !== EXTENSION_INTRODUCER)
      throw new OperationError('bad_request', 'The image is a damaged GIF: it has no frame.', {
        kind: 'damaged',
      });
    at += 2;
    for (let length = -1; length !== 0; at += 1 + length) length = (await bytes.read(at, 1)).getUint8(0);
  }
}

/** Reports whether an image has all its pixels, although the file ends behind them. */
function isWholeImage(file: Bytes, { at, dataAt }: GifBlock): boolean {
  const pixels = (file[at + 5] | (file[at + 6] << 8)) * (file[at + 7] | (file[at + 8] << 8));
  if (pixels > PIXELS_MAX) return false;
  const colours = unpackGifLzw(joinSubBlocks(file, dataAt), file[dataAt - 1] ?? 0, pixels);
  return colours.length === pixels;
}
