const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >> 1) ^ 0xa001 : rest >> 1;
  return rest;
});

/** Computes the CRC-16 of LAME tags: polynomial 0x8005, lowest bit first. @param before CRC of the preceding bytes */
export function crc16(bytes: Uint8Array, before = 0): number {
  let crc = before;
  for (const byte of bytes) crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 255];
  return crc;
}
