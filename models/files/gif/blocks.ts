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

/** Reports whether a GIF ends between two blocks after a frame, without its trailer (GIF89a, section 27). */
export function lacksGifTrailer(bytes: Uint8Array): boolean {
  const { frames, isWhole, hasTrailer } = walkGifBlocks(bytes);
  return frames > 0 && isWhole && !hasTrailer;
}

/** Counts the frames of a GIF. A truncated one counts. At least 1. */
export function countGifFrames(bytes: Uint8Array): number {
  return Math.max(1, walkGifBlocks(bytes).frames);
}

interface GifBlocks {
  readonly frames: number;
  readonly isWhole: boolean;
  readonly hasTrailer: boolean;
}

function walkGifBlocks(bytes: Uint8Array): GifBlocks {
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  let frames = 0;
  while (at < bytes.length) {
    const block = bytes[at];
    // The trailer, or the bytes after the last block.
    if (block !== IMAGE_SEPARATOR && block !== EXTENSION_INTRODUCER) {
      return { frames, isWhole: true, hasTrailer: block === TRAILER };
    }
    if (block === IMAGE_SEPARATOR) frames++;
    // Image: 10 bytes, a colour table, the code size. Extension: 2 bytes.
    at += block === IMAGE_SEPARATOR ? 11 + tableBytes(bytes[at + 9] ?? 0) : 2;
    for (let length = bytes[at++]; length !== 0; length = bytes[at++]) {
      if (length === undefined) return { frames, isWhole: false, hasTrailer: false };
      at += length;
    }
  }
  return { frames, isWhole: at === bytes.length, hasTrailer: false };
}
