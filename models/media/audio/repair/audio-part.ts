const ID3_HEAD_BYTES = 10;
const ID3V1_BYTES = 128;
const APE_HEAD_BYTES = 32;
/** Returns a file as its only part. */
export const wholeFile = (file: Blob): SplitAudio => ({
  parts: [{ file, position: 'next' }],
  isCutOff: false,
});

/**
 * Place of a part on the clock of its file: right after the part before; by its packets' times; or a number
 * of seconds after the last part that was placed as `next`.
 */
export type PartPosition = 'next' | 'own-times' | number;

/** Part of a file that is a file by itself. */
export interface AudioPart {
  readonly file: Blob;
  readonly position: PartPosition;
  /** Damaged bytes before a part that is placed as `next`, whose own times tell how long they are. Defaults to 0. */
  readonly lostBytes?: number;
}

/** Parts of an audio file, in order. */
export interface SplitAudio {
  readonly parts: readonly AudioPart[];
  /** Whether bytes that belong to the audio are left out at its end. */
  readonly isCutOff: boolean;
}

/** Limit on the parts of a file. The rest of one with more is left out. */
export const PARTS_MAX = 300;

/**
 * Returns the length of the tag at a place between frames, or 0 where there is none: ID3v2 and ID3v1, and APEv2.
 * @param bytesLeft length from the place to the end of the file, which a tag may not exceed
 */
export function tagBytesAt(bytes: Uint8Array, at: number, bytesLeft: number): number {
  const first = bytes[at];
  // Most places are told by one byte: 'I', 'T' or 'A'.
  if (first !== 0x49 && first !== 0x54 && first !== 0x41) return 0;
  const length = lengthAt(bytes, at, bytesLeft);
  return length <= bytesLeft ? length : 0;
}

function lengthAt(bytes: Uint8Array, at: number, bytesLeft: number): number {
  const text = String.fromCharCode(...bytes.subarray(at, at + 8));
  if (text.startsWith('ID3') && isId3Size(bytes, at)) {
    const size = bytes.subarray(at + 6, at + 10).reduce((sum, byte) => sum * 128 + byte, 0);
    return ID3_HEAD_BYTES + size + ((bytes[at + 5] ?? 0) & 16 ? ID3_HEAD_BYTES : 0);
  }
  if (text.startsWith('TAG') && bytesLeft >= ID3V1_BYTES) return ID3V1_BYTES;
  if (text !== 'APETAGEX') return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, Math.min(APE_HEAD_BYTES, bytes.length - at));
  return view.byteLength < APE_HEAD_BYTES ? 0 : APE_HEAD_BYTES + view.getUint32(12, true);
}

/** Reports whether each byte of an ID3v2 size has its highest bit clear, as it must. */
function isId3Size(bytes: Uint8Array, at: number): boolean {
  const size = bytes.subarray(at + 6, at + 10);
  return size.length === 4 && size.every((byte) => byte < 128);
}
