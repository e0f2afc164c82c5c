const TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest << 1) ^ (rest & 128 ? 7 : 0);
  return rest;
});

/** Computes the CRC-8 of FLAC frame heads: polynomial 7, highest bit first (RFC 9639, 9.1.8). */
export function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = TABLE[crc ^ byte];
  return crc;
}
