import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';

/** Labels of extensions that hold a comment, and data of a program: GIF89a, sections 24 and 26. */
export const COMMENT_LABEL = 0xfe;
export const APPLICATION = 0xff;
/** Label of the extension that says how the next frame is shown: GIF89a, section 23. */
export const GRAPHIC_CONTROL = 0xf9;
const SUB_BLOCK_BYTES_MAX = 255;
const HAS_TRANSPARENT_INDEX = 0x01;
export const IMAGE_SEPARATOR = 0x2c;
export const EXTENSION_INTRODUCER = 0x21;
export const TRAILER = 0x3b;
/** Length of signature and logical screen descriptor: GIF89a, sections 17 and 18. */
export const HEAD_BYTES = 13;
/** Length of an image descriptor: GIF89a, section 20. */
export const DESCRIPTOR_BYTES = 10;

/** Returns the length of the colour table that the flags of a descriptor announce: GIF89a, section 19. */
export function getTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Image or extension: GIF89a, section 12 on. */
export interface GifBlock {
  readonly at: number;
  readonly isImage: boolean;
  /** Label of an extension. */
  readonly label: number | undefined;
  /** Position of its first sub-block; that of an image follows the code size. */
  readonly dataAt: number;
  /** Position after its end, or that of its end if it is cut off. */
  readonly end: number;
  /** Whether it ends within the file. */
  readonly isWhole: boolean;
}

/** Walks from block to block without decoding, up to the trailer or the bytes after the last block. */
export function* readGifBlocks(bytes: Uint8Array): Generator<GifBlock, void> {
  for (let at = HEAD_BYTES + getTableBytes(bytes[10]); at < bytes.length; ) {
    const isImage = bytes[at] === IMAGE_SEPARATOR;
    if (!isImage && bytes[at] !== EXTENSION_INTRODUCER) return;
    const dataAt = at + (isImage ? DESCRIPTOR_BYTES + getTableBytes(bytes[at + 9]) + 1 : 2);
    const label = isImage ? undefined : bytes[at + 1];
    let end = dataAt;
    while (bytes[end] !== undefined && bytes[end] !== 0) end += 1 + bytes[end];
    const isWhole = end < bytes.length;
    yield { at, isImage, label, dataAt, end: isWhole ? end + 1 : end, isWhole };
    if (!isWhole) return;
    at = end + 1;
  }
}

/** Joins the sub-blocks of a block: GIF89a, section 15. Of a block that is cut off, those that are there. */
export function joinSubBlocks(bytes: Uint8Array, dataAt: number): Bytes {
  const parts: Uint8Array[] = [];
  for (let at = dataAt, length = bytes[at]; length; at += 1 + length, length = bytes[at])
    parts.push(bytes.subarray(at + 1, at + 1 + length));
  return concat(parts);
}

/** Divides bytes into sub-blocks, with the one that ends them. */
export function divideIntoBlocks(bytes: Bytes): Bytes[] {
  const blocks: Bytes[] = [];
  for (let at = 0; at < bytes.length; at += SUB_BLOCK_BYTES_MAX) {
    const block = bytes.subarray(at, at + SUB_BLOCK_BYTES_MAX);
    blocks.push(u8(block.length), block);
  }
  return [...blocks, u8(0)];
}

/**
 * Reports whether a GIF ends between two blocks, not within one. A missing trailer is common and harmless; a frame
 * truncated in the middle decodes to half an image without an error.
 */
export function endsBetweenGifBlocks(bytes: Uint8Array): boolean {
  let isWhole = HEAD_BYTES + getTableBytes(bytes[10]) <= bytes.length;
  for (const block of readGifBlocks(bytes)) ({ isWhole } = block);
  return isWhole;
}

/** Counts the frames of a GIF. A truncated one counts. At least 1. */
export function countGifFrames(bytes: Uint8Array): number {
  let frames = 0;
  for (const { isImage } of readGifBlocks(bytes)) if (isImage) frames++;
  return Math.max(1, frames);
}

/**
 * Clears the transparent index that an encoder reserves in the first frame of a GIF though no pixel uses it (GIF89a,
 * section 23), in place: readers would take the image for a transparent one.
 */
export function clearGifTransparency(bytes: Uint8Array): void {
  for (const { isImage, label, dataAt } of readGifBlocks(bytes)) {
    if (isImage) return;
    if (label === GRAPHIC_CONTROL) bytes[dataAt + 1] &= ~HAS_TRANSPARENT_INDEX;
  }
}
