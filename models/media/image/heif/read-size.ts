import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { readFourCc } from '../../bytes/read-four-cc.ts';
import { damagedHeif } from './read-boxes.ts';
import { readHeifMeta } from './read-meta.ts';

const META_BYTES_MAX = 400_000;
const TOP_LEVEL_BOXES_MAX = 32;

/**
 * Reads the `ispe` property of the primary item (ISO 23008-12, 6.5.3): for a grid, the size of the whole. A file with
 * a `mini` box in place of `meta` states its size there.
 */
export async function readHeifSize(bytes: ByteWindow): Promise<ImageSize> {
  const { type, view } = await readDescription(bytes);
  if (type === 'mini') return miniSize(view);
  const meta = readHeifMeta(view, { type, start: 0, end: view.byteLength });
  const ispe = meta.propertiesOf(meta.primaryItemId).find((property) => property.type === 'ispe');
  if (!ispe || ispe.end - ispe.start < 12) throw damagedHeif();
  return { width: view.getUint32(ispe.start + 4), height: view.getUint32(ispe.start + 8) };
}

/**
 * Reports whether the `irot` property of the primary item (ISO 23008-12, 6.5.10), or the `mini` box, rotates it by a
 * quarter turn.
 */
export async function isHeifRotated(bytes: ByteWindow): Promise<boolean> {
  const { type, view } = await readDescription(bytes);
  // The last 3 of its flag bits are the Orientation of EXIF, less one.
  if (type === 'mini') return (view.getUint8(1) & 7) >= 4;
  const meta = readHeifMeta(view, { type, start: 0, end: view.byteLength });
  const irot = meta.propertiesOf(meta.primaryItemId).find((property) => property.type === 'irot');
  return irot !== undefined && (view.getUint8(irot.start) & 1) === 1;
}

/**
 * Reads a size from the low-overhead format (ISO 23008-12, amendment 1): 16 flag bits, a size flag, sizes less one.
 */
function miniSize(view: DataView): ImageSize {
  if (view.byteLength < 6) throw damagedHeif();
  const isLarge = view.getUint8(2) >>> 7 === 1;
  return isLarge
    ? { width: (view.getUint16(2) & 0x7fff) + 1, height: (view.getUint16(4) >>> 1) + 1 }
    : { width: (view.getUint8(2) & 0x7f) + 1, height: (view.getUint8(3) >>> 1) + 1 };
}

/** Reads the body of the first `meta` or `mini` box. */
async function readDescription(bytes: ByteWindow): Promise<{ type: 'meta' | 'mini'; view: DataView }> {
  let offset = 0;
  for (let count = 0; count < TOP_LEVEL_BOXES_MAX; count++) {
    const head = await bytes.read(offset, 8);
    const isLong = head.getUint32(0) === 1;
    const headBytes = isLong ? 16 : 8;
    const size = isLong
      ? Number((await bytes.read(offset + 8, 8)).getBigUint64(0))
      : head.getUint32(0) || bytes.size - offset;
    const type = readFourCc(head, 4);
    if (size < headBytes) break;
    if (type === 'mini')
      return { type, view: await bytes.read(offset + headBytes, Math.min(16, size - headBytes)) };
    if (type === 'meta') {
      if (size > META_BYTES_MAX) break;
      return { type, view: await bytes.read(offset + headBytes, size - headBytes) };
    }
    offset += size;
  }
  throw new OperationError(
    'bad_request',
    'The image is a HEIC or AVIF file without a readable still image.',
    { kind: 'damaged' },
  );
}
