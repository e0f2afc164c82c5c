import { BitReader } from '../../../bytes/bit-reader.ts';
import { type ProgramConfig, readProgramConfig } from './program-config.ts';

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
  // By the standard two of its pairs are in front; encoders mean the sides, and decoders follow them.
  7: 0x63f,
  11: 0x13f,
  12: 0x63f,
};
const ESCAPE_TYPE = 31;
const ESCAPE_RATE = 15;
const ESCAPE_RATE_BITS = 24;
/** Object types that another one follows: SBR and PS, which enlarge it. */
const ENLARGING_TYPES = [5, 29];

/**
 * Reads the channel mask of an AudioSpecificConfig (ISO 14496-3, 1.6.2.1), in whose order decoders return the channels;
 * null where it has no such order, or is for one or two channels.
 */
export function readAacMask(config: Uint8Array): number | null {
  const { channels } = readFields(config);
  return channels > 0 ? (MASKS[channels] ?? null) : (readListedChannels(config)?.channelMask ?? null);
}

/** Reads the channels that an AudioSpecificConfig lists one by one; null where it states them by a number. */
export function readListedChannels(config: Uint8Array): ProgramConfig | null {
  const { channels, reader } = readFields(config);
  if (channels > 0) return null;
  // Length of frames, core coder with its delay, and extensions: 4.4.1.
  reader.skip(1);
  if (reader.bit()) reader.skip(14);
  reader.skip(1);
  return readProgramConfig(reader);
}

/** Reads rate and channels of an AudioSpecificConfig; null where it does not state them by a number. */
export function readAacFormat(config: Uint8Array): { sampleRate: number; channelCount: number } | null {
  const { rate, channels } = readFields(config);
  const sampleRate = AAC_RATES[rate];
  const channelCount = channels === 7 || channels > 11 ? 8 : channels === 11 ? 7 : channels;
  return sampleRate && channelCount > 0 ? { sampleRate, channelCount } : null;
}

/** Reads the codes of rate and channels, and what precedes the configuration of the coder. */
function readFields(config: Uint8Array) {
  const reader = new BitReader(config);
  const type = readType(reader);
  const rate = readRate(reader);
  const channels = reader.bits(4);
  if (ENLARGING_TYPES.includes(type)) {
    readRate(reader);
    readType(reader);
  }
  return { rate, channels, reader };
}

function readType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === ESCAPE_TYPE ? 32 + reader.bits(6) : type;
}

function readRate(reader: BitReader): number {
  const rate = reader.bits(4);
  if (rate === ESCAPE_RATE) reader.skip(ESCAPE_RATE_BITS);
  return rate;
}
