import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';

/** Reads the size from IHDR, which must be the first chunk: PNG, third edition, 11.2.1. */
export async function readPngSize(bytes: ByteWindow): Promise<ImageSize> {
  const view = await bytes.read(8, 16);
  if (view.getUint32(4) !== 0x49484452) {
    throw new OperationError(
      'bad_request',
      'The image is a damaged PNG: it does not start with an IHDR chunk.',
      { kind: 'damaged' },
    );
  }
  return { width: view.getUint32(8), height: view.getUint32(12) };
}

/** Reads the logical screen size: GIF89a, section 18. Frames may be smaller, never larger. */
export async function readGifSize(bytes: ByteWindow): Promise<ImageSize> {
  const view = await bytes.read(6, 4);
  return { width: view.getUint16(0, true), height: view.getUint16(2, true) };
}

/**
 * Reads a bitmap's size. OS/2 1.x headers have 12 bytes with 16-bit sizes, all later ones 32-bit sizes; a negative
 * height means top-down.
 */
export async function readBmpSize(bytes: ByteWindow): Promise<ImageSize> {
  const view = await bytes.read(14, 12);
  if (view.getUint32(0, true) === 12) {
    return { width: view.getUint16(4, true), height: view.getUint16(6, true) };
  }
  return { width: Math.max(0, view.getInt32(4, true)), height: Math.abs(view.getInt32(8, true)) };
}

/** Reads a WebP's size: RFC 9649, sections 2.5 (VP8), 2.6 (VP8L) and 2.7 (VP8X). */
export async function readWebpSize(bytes: ByteWindow): Promise<ImageSize> {
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
