/** Makes a Matroska file of as many empty tracks, two bytes each. */
export function createEmptyTracks(count: number): Uint8Array {
  const element = (id: readonly number[], body: Uint8Array) =>
    Buffer.concat([Buffer.from(id), sizeOf(body.length), body]);
  const tracks = Buffer.alloc(2 * count);
  for (let i = 0; i < count; i++) tracks.set([0xae, 0x80], 2 * i);
  const docType = element([0x42, 0x82], Buffer.from('matroska'));
  const segment = element([0x16, 0x54, 0xae, 0x6b], tracks);
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], docType),
    element([0x18, 0x53, 0x80, 0x67], segment),
  ]);
}

/** Writes an EBML size of eight bytes. */
function sizeOf(length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((1n << 56n) | BigInt(length));
  return bytes;
}
