import { OperationError } from '../../../core/operation/errors.ts';
import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getPerInch } from '../../bytes/print-units.ts';
import type { ImageFileCode } from '../image-format.ts';
import { readBmpHeader } from './read-bmp.ts';

/** The longest header of a bitmap, with its palette. */
const HEADER_BYTES_MAX = 2048;
/** Size of the smallest bitmap header with a resolution. */
const RESOLUTION_HEADER_BYTES = 40;

export const bmpFileCode: ImageFileCode = {
  /**
   * Reads a bitmap's size. OS/2 1.x headers have 12 bytes with 16-bit sizes, all later ones 32-bit sizes; a negative
   * height means top-down.
   */
  async readSize(bytes) {
    const view = await bytes.read(14, 12);
    if (view.getUint32(0, true) === 12) {
      return { width: view.getUint16(4, true), height: view.getUint16(6, true) };
    }
    return { width: Math.max(0, view.getInt32(4, true)), height: Math.abs(view.getInt32(8, true)) };
  },
  async assertHeader(file) {
    try {
      readBmpHeader(new Uint8Array(await file.slice(0, HEADER_BYTES_MAX).arrayBuffer()));
    } catch (thrown) {
      if (!(thrown instanceof OperationError)) throw thrown;
      throw new OperationError('bad_request', thrown.message, { cause: thrown });
    }
  },
  readResolution,
};

/** Reads BITMAPINFOHEADER and its successors. */
function readResolution(file: Bytes): PrintResolution | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isTooShort = file.length < 14 + RESOLUTION_HEADER_BYTES;
  if (isTooShort || view.getUint32(14, true) < RESOLUTION_HEADER_BYTES) return undefined;
  return { x: getPerInch(view.getInt32(38, true)), y: getPerInch(view.getInt32(42, true)) };
}
