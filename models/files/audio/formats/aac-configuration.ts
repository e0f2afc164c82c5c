/** Channel masks by the channel configuration of AAC: ISO 14496-3, table 1.19. */
const MASKS: Readonly<Record<number, number>> = {
  3: 0x7,
  4: 0x107,
  5: 0x37,
  6: 0x3f,
  7: 0xff,
  11: 0x13f,
  12: 0x63f,
};
const ESCAPE_TYPE = 31;
const ESCAPE_RATE = 15;

/**
 * Reads the channel mask of an AudioSpecificConfig (ISO 14496-3, 1.6.2.1); null where it lists its elements instead, or
 * is for one or two channels.
 */
export function readAacMask(config: Uint8Array): number | null {
  const bitsAt = (at: number, count: number) => {
    const bytes = [0, 1, 2].map((byte) => config[(at >> 3) + byte] ?? 0);
    const [first = 0, second = 0, third = 0] = bytes;
    return (((first << 16) | (second << 8) | third) >> (24 - (at & 7) - count)) & (2 ** count - 1);
  };
  const rateAt = bitsAt(0, 5) === ESCAPE_TYPE ? 11 : 5;
  const isEscaped = bitsAt(rateAt, 4) === ESCAPE_RATE;
  return MASKS[bitsAt(rateAt + (isEscaped ? 28 : 4), 4)] ?? null;
}
