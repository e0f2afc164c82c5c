import type { ByteReader } from '../formats/byte-reader.ts';

/** Delay of every MP3 decoder in samples, in addition to the encoder's. */
export const DECODER_DELAY = 529;
const FRAME_BYTES_MAX = 2881;
const SYNC_SEARCH_BYTES = 4096;

/** Samples that an encoder added, according to its tag in the first frame. */
export interface MP3Padding {
  readonly delaySamples: number;
  readonly paddingSamples: number;
}

/**
 * Reads the LAME tag of an MP3 file (G. Bouvigne, "Mp3 Info Tag", revision 1), which most encoders write.
 * @returns null when there is none
 */
export async function readLameTag(bytes: ByteReader): Promise<MP3Padding | null> {
  const start = await findId3End(bytes);
  const found = await bytes.read(start, SYNC_SEARCH_BYTES + FRAME_BYTES_MAX);
  const sync = found.findIndex(
    (byte, at) => byte === 0xff && ((found[at + 1] ?? 0) & 0xe6) === 0xe2 && at < SYNC_SEARCH_BYTES,
  );
  if (sync < 0) return null;
  const frame = found.subarray(sync, sync + FRAME_BYTES_MAX);
  if (!isInfoFrame(frame)) return null;
  const tag = tagOffset(frame);
  const text = (at: number, length: number) => String.fromCharCode(...frame.subarray(at, at + length));
  const flags = frame[tag + 7] ?? 0;
  const fields = (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  const lame = tag + 8 + fields;
  if (!/^(LAME|Lavf|Lavc|L3\.9|GOGO)/.test(text(lame, 4))) return null;
  const [high = 0, middle = 0, low = 0] = frame.subarray(lame + 21, lame + 24);
  return { delaySamples: (high << 4) | (middle >> 4), paddingSamples: ((middle & 15) << 8) | low };
}

/** Reports whether a frame holds a tag in place of samples. */
export function isInfoFrame(frame: Uint8Array): boolean {
  const at = tagOffset(frame);
  // Most frames are told by one byte.
  if (frame[at] !== 0x58 && frame[at] !== 0x49) return false;
  return /^(Xing|Info)$/.test(String.fromCharCode(...frame.subarray(at, at + 4)));
}

/**
 * Offset of the tag: after the head of 4 bytes and the side information, whose size depends on version and channels.
 */
function tagOffset(frame: Uint8Array): number {
  const isMpeg1 = ((frame[1] ?? 0) & 0x18) === 0x18;
  const isMono = (frame[3] ?? 0) >> 6 === 3;
  if (isMpeg1) return isMono ? 21 : 36;
  return isMono ? 13 : 21;
}

/** Finds the end of the ID3v2 tags, or 0. Their size is four bytes of seven bits. */
export async function findId3End(bytes: ByteReader): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < 4; tags++) {
    const head = await bytes.read(at, 10);
    if (String.fromCharCode(...head.subarray(0, 3)) !== 'ID3') break;
    const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    at += 10 + size + ((head[5] ?? 0) & 16 ? 10 : 0);
  }
  return at;
}
