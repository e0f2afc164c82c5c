const ID3_HEAD_BYTES = 10;
const ID3V1_BYTES = 128;
const APE_HEAD_BYTES = 32;

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
