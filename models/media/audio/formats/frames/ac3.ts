import type { RawFrame } from './raw-frame.ts';

const SAMPLE_RATES = [48_000, 44_100, 32_000];
/** kbps by half of the frame size code: ETSI TS 102 366, table 4.13. */
const KILOBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
/** Full-range channels by audio coding mode. */
const CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5];
const SAMPLES_A_BLOCK = 256;
const HEAD_BYTES = 8;

/** Channel masks by audio coding mode: ETSI TS 102 366, 4.4.2.3. */
const MASKS = [0x3, 0x4, 0x3, 0x7, 0x103, 0x107, 0x603, 0x607];
const EFFECTS = 0x8;

/** Reads the channel mask of a frame; null where there is none. */
export function readAc3Mask(head: Uint8Array): number | null {
  const frame = readAc3Frame(head);
  if (!frame) return null;
  const mode = frame.codec === 'ac3' ? (head[6] ?? 0) >> 5 : ((head[4] ?? 0) >> 1) & 7;
  const mask = MASKS[mode];
  return frame.channelCount > CHANNELS[mode] ? mask | EFFECTS : mask;
}

/** Reads a frame's head of 8 bytes, or null where there is none: ETSI TS 102 366, 4.4.1 and annex E.1.3. */
export function readAc3Frame(head: Uint8Array): RawFrame | null {
  if (head.length < HEAD_BYTES || head[0] !== 0x0b || head[1] !== 0x77) return null;
  const [, , c2, c3, c4, c5, c6, c7] = head as unknown as number[] & { length: 8 };
  const version = c5 >> 3;
  if (version > 10) return readEac3Frame(c2, c3, c4);
  const sampleRate = SAMPLE_RATES[c4 >> 6];
  const sizeCode = c4 & 63;
  const kilobits = KILOBITS[sizeCode >> 1];
  if (version > 8 || !sampleRate || !kilobits) return null;
  const words = Math.floor((kilobits * 1000 * 96) / sampleRate) + (sampleRate === 44_100 ? sizeCode & 1 : 0);
  const mode = c6 >> 5;
  // Mix levels or a Dolby Surround mark precede the bit for the bass effects.
  const skipped = (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0);
  const bits = (c6 << 8) | c7;
  const hasEffects = (bits >> (12 - skipped)) & 1;
  const channelCount = CHANNELS[mode] + hasEffects;
  return { codec: 'ac3', bytes: words * 2, sampleRate, channelCount, samples: 6 * SAMPLES_A_BLOCK };
}

function readEac3Frame(c2: number, c3: number, c4: number): RawFrame | null {
  const isDependent = c2 >> 6 === 1;
  const bytes = ((((c2 & 7) << 8) | c3) + 1) * 2;
  const rateCode = c4 >> 6;
  const isHalfRate = rateCode === 3;
  const sampleRate = isHalfRate ? (SAMPLE_RATES[(c4 >> 4) & 3] ?? 0) / 2 : SAMPLE_RATES[rateCode];
  if (!sampleRate || bytes < HEAD_BYTES) return null;
  const blocks = isHalfRate ? 6 : [1, 2, 3, 6][(c4 >> 4) & 3];
  const channelCount = CHANNELS[(c4 >> 1) & 7] + (c4 & 1);
  const samples = isDependent ? 0 : blocks * SAMPLES_A_BLOCK;
  return { codec: 'eac3', bytes, sampleRate, channelCount, samples };
}
