import { AAC_RATES } from '../formats/aac/configuration.ts';

/**
 * Bit rates of layer III in kbit/s by their code, in MPEG-1 and in MPEG-2 and 2.5: ISO 11172-3, 2.4.2.3 and ISO
 * 13818-3.
 */
const KILOBITS = [
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
] as const;
/** Sample rates of MPEG-1 by their code: half in MPEG-2, a quarter in MPEG-2.5. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const ADTS_HEAD_BYTES = 7;
const ADTS_SAMPLES = 1024;

/** Head of a frame in a file that consists of frames. */
export interface FrameHead {
  /** Length of the whole frame. */
  readonly bytes: number;
  readonly samples: number;
  /** In Hz. */
  readonly sampleRate: number;
  /**
   * Number that all frames of one stream share: version, profile, rate and channels. 0 for one that adds to another.
   */
  readonly kind: number;
  /** Whether a stream can begin with it. Defaults to true. */
  readonly isStart?: boolean;
  /** Position of its first sample, modulo 65536; absent where frames do not state it. */
  readonly clock?: number | undefined;
}

/** Reads the head of a frame; null where there is none. */
export type ReadFrameHead = (bytes: Uint8Array, at: number) => FrameHead | null;

/** Reads the head of a frame of MPEG layer III: ISO 11172-3, 2.4.1.3. */
export const readMp3Head: ReadFrameHead = (bytes, at) => {
  if (bytes[at] !== 0xff) return null;
  const [second = 0, third = 0, fourth = 0] = [bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  if ((second & 0xe6) !== 0xe2) return null;
  const version = (second >> 3) & 3;
  const rate = SAMPLE_RATES[(third >> 2) & 3];
  const kilobits = KILOBITS[version === 3 ? 1 : 0][third >> 4];
  if (version === 1 || !rate || !kilobits) return null;
  const isMono = fourth >> 6 === 3;
  const sampleRate = rate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const samples = version === 3 ? 1152 : 576;
  const size = Math.floor((samples * 125 * kilobits) / sampleRate) + ((third >> 1) & 1);
  return { bytes: size, samples, sampleRate, kind: 64 + version * 8 + (isMono ? 4 : 0) + ((third >> 2) & 3) };
};

/** Reads the head of a frame of ADTS: ISO 14496-3, 1.A.2.2. */
export const readAdtsHead: ReadFrameHead = (bytes, at) => {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf6) !== 0xf0) return null;
  const [second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at + 1, at + 6);
  const sampleRate = AAC_RATES[(third >> 2) & 15];
  const size = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (!sampleRate || size <= ADTS_HEAD_BYTES) return null;
  // Version, profile, rate and channels.
  const kind = 0x10000 | ((second & 8) << 10) | ((third & 0xfd) << 2) | (fourth >> 6);
  return { bytes: size, samples: ADTS_SAMPLES, sampleRate, kind };
};
