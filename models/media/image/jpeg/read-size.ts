import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';

/** Reports a start-of-frame marker: C0 to CF, without DHT (C4), JPG (C8) and DAC (CC): ITU-T T.81, table B.1. */
export function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Walks the segments to the first start of frame: ITU-T T.81, B.1.1 and B.2.2. */
export async function readJpegSize(bytes: ByteWindow): Promise<ImageSize> {
  let offset = 2;
  for (;;) {
    const view = await bytes.read(offset, 4);
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff) throw damaged();
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      offset += marker === 0xff ? 1 : 2; // fill bytes, and markers without a length
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) throw damaged();
    if (isStartOfFrame(marker)) {
      const frame = await bytes.read(offset + 5, 4);
      return { width: frame.getUint16(2), height: frame.getUint16(0) };
    }
    offset += 2 + Math.max(2, view.getUint16(2));
  }
}

function damaged(): OperationError {
  return new OperationError('bad_request', 'The image is a damaged JPEG: it has no frame header.', {
    kind: 'damaged',
  });
}
