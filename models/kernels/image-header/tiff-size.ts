import { OperationError } from '../../errors.ts';
import type { ByteWindow } from '../byte-window.ts';
import type { ImageSize } from '../image-header.ts';

const IMAGE_WIDTH = 256;
const IMAGE_LENGTH = 257;
const SHORT = 3;

/** Width and length of the first directory: TIFF 6.0, section 2. */
export async function tiffSize(bytes: ByteWindow): Promise<ImageSize> {
  const head = await bytes.read(0, 8);
  const little = head.getUint16(0) === 0x4949;
  const directory = head.getUint32(4, little);
  const count = (await bytes.read(directory, 2)).getUint16(0, little);
  const size = { width: 0, height: 0 };
  for (let index = 0; index < count; index++) {
    const entry = await bytes.read(directory + 2 + index * 12, 12);
    const tag = entry.getUint16(0, little);
    if (tag > IMAGE_LENGTH) break; // tags stand in rising order
    const value =
      entry.getUint16(2, little) === SHORT ? entry.getUint16(8, little) : entry.getUint32(8, little);
    if (tag === IMAGE_WIDTH) size.width = value;
    if (tag === IMAGE_LENGTH) size.height = value;
  }
  if (size.width && size.height) return size;
  throw new OperationError('bad_request', 'The image is a damaged TIFF: its first page has no size.');
}
