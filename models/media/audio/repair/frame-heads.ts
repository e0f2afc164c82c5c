import type { ByteReader } from '../../bytes/byte-reader.ts';
import { AAC_RATES } from '../formats/aac.ts';
import { findId3End, isInfoFrame } from '../formats/mp3.ts';
import { FRAME_HEAD_BYTES, type ReadFrame, readMpegFrame } from './raw-frames.ts';

const HEAD_BYTES = 4;
/** Bytes of an ID3v1 tag, which ends a file. */
const TAG_BYTES = 128;
/**
 * Bytes that are walked at once, and how many more are read, so that the tag of a frame that begins in them is there.
 */
const WINDOW_BYTES = 1_048_576;
const MARGIN_BYTES = 64;
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

/**
 * Returns a reader of heads amid other bytes.
 * @param firstBytes of frames: most places are told by one byte. Null where it may be any
 * @param codec of all frames. By default any that `read` knows
 */
export function headReader(
  firstBytes: readonly number[] | null,
  read: ReadFrame,
  codec?: string,
): ReadFrameHead {
  return (bytes, at) => {
    if (firstBytes && !firstBytes.includes(bytes[at] ?? 0)) return null;
    const frame = read(bytes.subarray(at, at + FRAME_HEAD_BYTES));
    if (!frame || (codec && frame.codec !== codec)) return null;
    const { samples, sampleRate, channelCount, isStart = true, clock } = frame;
    return {
      bytes: frame.bytes,
      samples,
      sampleRate,
      kind: samples > 0 ? sampleRate * 16 + channelCount : 0,
      isStart,
      clock,
    };
  };
}

/** Reads the head of a frame of MPEG layer III. */
export const readMp3Head = headReader([0xff], readMpegFrame, 'mp3');

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

/**
 * Measures an MP3 file of frames without gaps by their heads alone. mediabunny (1.61) needs eight seconds for the half
 * a million frames of four hours.
 * @returns null for a file that has anything else between its frames
 */
export async function measureMp3End(bytes: ByteReader): Promise<number | null> {
  let at = await findId3End(bytes);
  let [first, samples]: [FrameHead | null, number] = [null, 0];
  while (at < bytes.size) {
    const part = await bytes.read(at, WINDOW_BYTES + MARGIN_BYTES);
    const end = Math.min(WINDOW_BYTES, part.length);
    let next = 0;
    while (next < end) {
      const head = readMp3Head(part, next);
      if (!head || (first && head.kind !== first.kind)) {
        return first && isEnd(part, next, bytes.size - at) ? samples / first.sampleRate : null;
      }
      // A frame that was cut off has no samples.
      if (at + next + head.bytes > bytes.size) return first && samples / first.sampleRate;
      if (!isInfoFrame(part.subarray(next))) {
        first ??= head;
        samples += head.samples;
      }
      next += head.bytes;
    }
    at += next;
  }
  return first && samples / first.sampleRate;
}

/** Reports whether a file ends after its frames: at once, or with an ID3v1 tag. */
function isEnd(part: Uint8Array, at: number, bytesLeft: number): boolean {
  const left = bytesLeft - at;
  const isTag = String.fromCharCode(...part.subarray(at, at + 3)) === 'TAG';
  return left < HEAD_BYTES || (isTag && left === TAG_BYTES);
}
