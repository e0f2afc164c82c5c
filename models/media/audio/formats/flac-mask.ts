import type { ByteReader } from './byte-reader.ts';

const COMMENT = 4;
const BLOCKS_MAX = 100;
const COMMENT_BYTES_MAX = 1_000_000;

/**
 * Reads the channel mask that a comment of a FLAC file states, as its reference encoder writes it for layouts that are
 * not the usual one of their number of channels; null without one.
 */
export async function readFlacMask(bytes: ByteReader): Promise<number | null> {
  let at = 4;
  for (let block = 0; block < BLOCKS_MAX && at + 4 <= bytes.size; block++) {
    const head = (await bytes.view(at, 4)).getUint32(0);
    const length = head & 0xff_ffff;
    if (((head >>> 24) & 0x7f) === COMMENT) {
      const body = await bytes.read(at + 4, Math.min(length, COMMENT_BYTES_MAX));
      return findFlacMask(body);
    }
    if (head >>> 31) return null;
    at += 4 + length;
  }
  return null;
}

/** Finds the channel mask among comments; null where there is none. */
export function findFlacMask(comments: Uint8Array): number | null {
  const [, mask] =
    /WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x([0-9a-f]{1,8})/i.exec(new TextDecoder().decode(comments)) ?? [];
  return mask === undefined ? null : Number.parseInt(mask, 16);
}
