/** Label of the extension that says how the next frame is shown: GIF89a, section 23. */
export const GRAPHIC_CONTROL = 0xf9;
const HAS_TRANSPARENT_INDEX = 0x01;
export const IMAGE_SEPARATOR = 0x2c;
export const EXTENSION_INTRODUCER = 0x21;
const TRAILER = 0x3b;

/**
 * Reports whether a GIF ends between two blocks (GIF89a, section 12 on), not within one. A missing trailer is common
 * and harmless; a frame truncated in the middle decodes to half an image without an error.
 */
export function endsBetweenGifBlocks(bytes: Uint8Array): boolean {
  return walkGifBlocks(bytes).isWhole;
}

/** Counts the frames of a GIF. A truncated one counts. At least 1. */
export function countGifFrames(bytes: Uint8Array): number {
  return Math.max(1, walkGifBlocks(bytes).frames);
}

/** Blocks of a GIF: GIF89a, section 12 on. */
export interface GifBlocks {
  readonly frames: number;
  /** Whether the file ends between two blocks, or behind them. */
  readonly isWhole: boolean;
  readonly hasTrailer: boolean;
  /** Position of the last block, which may be cut off. */
  readonly lastAt: number;
  /** Whether the last block lacks nothing but its end. */
  readonly lacksBlockEnd?: true;
}

/** Walks from block to block without decoding. */
export function walkGifBlocks(bytes: Uint8Array): GifBlocks {
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  let frames = 0;
  let lastAt = at;
  while (at < bytes.length) {
    const block = bytes[at];
    lastAt = at;
    // The trailer, or the bytes after the last block.
    if (block !== IMAGE_SEPARATOR && block !== EXTENSION_INTRODUCER) {
      return { frames, isWhole: true, hasTrailer: block === TRAILER, lastAt };
    }
    if (block === IMAGE_SEPARATOR) frames++;
    // Image: 10 bytes, a colour table, the code size. Extension: 2 bytes.
    at += block === IMAGE_SEPARATOR ? 11 + tableBytes(bytes[at + 9] ?? 0) : 2;
    for (let length = bytes[at++]; length !== 0; length = bytes[at++]) {
      if (length === undefined) {
        const cut = { frames, isWhole: false, hasTrailer: false, lastAt };
        return at - 1 === bytes.length ? { ...cut, lacksBlockEnd: true } : cut;
      }
      at += length;
    }
  }
  return { frames, isWhole: at === bytes.length, hasTrailer: false, lastAt };
}

/**
 * Clears the transparent index that an encoder reserves in the first frame of a GIF though no pixel uses it (GIF89a,
 * section 23), in place: readers would take the image for a transparent one.
 */
export function clearGifTransparency(bytes: Uint8Array): void {
  const flags = bytes[10] ?? 0;
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (bytes[at] === EXTENSION_INTRODUCER) {
    if (bytes[at + 1] === GRAPHIC_CONTROL) {
      bytes[at + 3] = (bytes[at + 3] ?? 0) & ~HAS_TRANSPARENT_INDEX;
      return;
    }
    at += 2;
    for (let length = bytes[at++]; length; length = bytes[at++]) at += length;
  }
}
