import { OperationError } from '../../../core/operation/errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** Bytes of a frame with its head, by frame type: RFC 4867, 5.3 and 3GPP TS 26.101, 26.201. */
const NARROW = [13, 14, 16, 18, 20, 21, 27, 32, 6, 6, 6, 6, 0, 0, 0, 1];
const WIDE = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1];
const FRAME_SECONDS = 0.02;
/** 6 hours. */
const FRAMES_MAX = 1_080_000;

/** Offset of an AMR file's first frame, and the size of each. */
export interface AmrLayout {
  readonly headBytes: number;
  readonly sampleRate: 8000 | 16_000;
  /** Returns a frame's size by its first byte; 0 for types that do not exist. */
  frameBytes(head: number): number;
}

/** Distinguishes narrow-band from wide-band files by their first line. */
export async function readAmrLayout(bytes: ByteReader): Promise<AmrLayout> {
  const head = String.fromCharCode(...(await bytes.read(0, 9)));
  const isWide = head.startsWith('#!AMR-WB\n');
  const sizes = isWide ? WIDE : NARROW;
  return {
    headBytes: isWide ? 9 : 6,
    sampleRate: isWide ? 16_000 : 8000,
    frameBytes: (first) => sizes[(first >> 3) & 15],
  };
}

/**
 * Measures an AMR file by walking its frames.
 * @throws OperationError `bad_request` when they do not fit together, or are too many
 */
export async function readAmr(bytes: ByteReader, secondsMax: number): Promise<RawAudio> {
  const { headBytes, sampleRate, frameBytes } = await readAmrLayout(bytes);
  let frames = 0;
  for (let at = headBytes; at < bytes.size; frames++) {
    const [first = 0] = await bytes.read(at, 1);
    const size = frameBytes(first);
    if (size === 0) throw damagedAudio(`a frame at byte ${at} is of no known type`);
    if (frames === FRAMES_MAX)
      throw new OperationError('bad_request', 'AMR files of at most 6 hours can be read.');
    if (at + size > bytes.size || frames * FRAME_SECONDS > secondsMax) break;
    at += size;
  }
  const codec = sampleRate === 8000 ? 'amr_nb' : 'amr_wb';
  return { codec, sampleRate, channelCount: 1, durationSeconds: frames * FRAME_SECONDS, hasVideo: false };
}
