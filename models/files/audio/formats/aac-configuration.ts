/** Sample rates of AAC by their code: ISO 14496-3, 1.6.3.4. */
export const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

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
  return MASKS[readFields(config).channels] ?? null;
}

/** Reads rate and channels of an AudioSpecificConfig; null where it does not state them by a number. */
export function readAacFormat(config: Uint8Array): { sampleRate: number; channelCount: number } | null {
  const { rate, channels } = readFields(config);
  const sampleRate = AAC_RATES[rate];
  const channelCount = channels === 7 || channels > 11 ? 8 : channels === 11 ? 7 : channels;
  return sampleRate && channelCount > 0 ? { sampleRate, channelCount } : null;
}

/** Reads the codes of rate and channels. */
function readFields(config: Uint8Array): { readonly rate: number; readonly channels: number } {
  const bitsAt = (at: number, count: number) => {
    const bytes = [0, 1, 2].map((byte) => config[(at >> 3) + byte] ?? 0);
    const [first = 0, second = 0, third = 0] = bytes;
    return (((first << 16) | (second << 8) | third) >> (24 - (at & 7) - count)) & (2 ** count - 1);
  };
  const rateAt = bitsAt(0, 5) === ESCAPE_TYPE ? 11 : 5;
  const rate = bitsAt(rateAt, 4);
  return { rate, channels: bitsAt(rateAt + (rate === ESCAPE_RATE ? 28 : 4), 4) };
}
