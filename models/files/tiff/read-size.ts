import { OperationError } from '../../operation/errors.ts';
import type { ImageSize } from '../../runtime/raster.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';

const IMAGE_WIDTH = 256;
const IMAGE_LENGTH = 257;
const SHORT = 3;

/**
 * Reads width and length from the first directory: TIFF 6.0, section 2, and BigTIFF with its wider counts and
 * offsets.
 */
export async function readTiffSize(bytes: ByteWindow): Promise<ImageSize> {
  const head = await bytes.read(0, 16);
  const little = head.getUint16(0) === 0x4949;
  const isBig = head.getUint16(2, little) === 43;
  const directory = isBig ? Number(head.getBigUint64(8, little)) : head.getUint32(4, little);
  const [countBytes, entryBytes, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  const counter = await bytes.read(directory, countBytes);
  const count = isBig ? Number(counter.getBigUint64(0, little)) : counter.getUint16(0, little);
  const size = { width: 0, height: 0 };
  for (let index = 0; index < count; index++) {
    const entry = await bytes.read(directory + countBytes + index * entryBytes, entryBytes);
    const tag = entry.getUint16(0, little);
    if (tag > IMAGE_LENGTH) break; // tags stand in rising order
    const isShort = entry.getUint16(2, little) === SHORT;
    const value = isShort ? entry.getUint16(valueAt, little) : entry.getUint32(valueAt, little);
    if (tag === IMAGE_WIDTH) size.width = value;
    if (tag === IMAGE_LENGTH) size.height = value;
  }
  if (size.width && size.height) return size;
  throw new OperationError('bad_request', 'The image is a damaged TIFF: its first page has no size.', {
    kind: 'damaged',
  });
}
