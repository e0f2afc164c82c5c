import { OperationError } from '../../../core/operation/errors.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { EXTENSION_INTRODUCER, IMAGE_SEPARATOR } from './blocks.ts';

const HEAD_BYTES = 13;

/**
 * Checks that only extensions stand between the head of a GIF and its first image: GIF89a, sections 18 to 20 and 23 on.
 * @throws OperationError `bad_request` when there is no image, or it begins beyond half a megabyte
 */
export async function assertGifImage(bytes: ByteWindow): Promise<void> {
  const flags = (await bytes.read(10, 1)).getUint8(0);
  let at = HEAD_BYTES + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (;;) {
    const block = (await bytes.read(at, 1)).getUint8(0);
    if (block === IMAGE_SEPARATOR) return;
    if (block !== EXTENSION_INTRODUCER)
      throw new OperationError('bad_request', 'The image is a damaged GIF: it has no frame.', {
        kind: 'damaged',
      });
    at += 2;
    for (let length = -1; length !== 0; at += 1 + length) length = (await bytes.read(at, 1)).getUint8(0);
  }
}
