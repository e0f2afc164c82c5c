import { type ByteReader, damagedAudio } from '../byte-reader.ts';
import type { RawAudio } from '../raw-audio.ts';

/** Frame of a file that consists of frames only, by its head. */
export interface RawFrame {
  /** FFmpeg's name. */
  readonly codec: string;
  readonly bytes: number;
  /** 0 for a frame that belongs to the one before it. */
  readonly samples: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Speakers of the channels, as in WAVEFORMATEXTENSIBLE; absent where the head does not say it. */
  readonly channelMask?: number;
  /** Whether decoding can begin with it. Defaults to whether it has samples of its own. */
  readonly isStart?: boolean;
  /** Position of its first sample, modulo 65536; absent where frames do not state it. */
  readonly clock?: number;
}

/** Bytes that suffice for the head of any frame. */
export const FRAME_HEAD_BYTES = 32;

/** Reads the head of a frame, at most `FRAME_HEAD_BYTES`; null where there is none. */
export type ReadFrame = (head: Uint8Array) => RawFrame | null;

/** Creates a reader of frames, which may keep what an earlier frame stated. */
export type OpenFrames = () => ReadFrame;

/** More frames without samples of their own than any stream has in a row. */
const DEPENDENT_FRAMES_MAX = 8;

/** Bytes after the last frame that are no missing end: tags of players. */
const TAG_BYTES_MAX = 65_536;

/**
 * Measures a file by walking its frames, up to a length or to a place without one.
 * @throws OperationError `bad_request` when it does not begin with a frame
 */
export async function measureFrames(
  bytes: ByteReader,
  readFrame: ReadFrame,
  secondsMax: number,
): Promise<RawAudio> {
  const first = readFrame(await bytes.read(0, FRAME_HEAD_BYTES));
  if (!first) throw damagedAudio('its first frame makes no sense');
  const { codec, sampleRate, channelCount, channelMask } = first;
  let samples = 0;
  let dependentFrames = 0;
  let at = 0;
  while (at < bytes.size && samples <= secondsMax * sampleRate) {
    const frame = readFrame(await bytes.read(at, FRAME_HEAD_BYTES));
    // Tags may follow the last frame.
    if (!frame || at + frame.bytes > bytes.size) break;
    dependentFrames = frame.samples > 0 ? 0 : dependentFrames + 1;
    if (dependentFrames > DEPENDENT_FRAMES_MAX)
      throw damagedAudio(`too many dependent frames before byte ${at}`);
    samples += frame.samples;
    at += frame.bytes;
  }
  const isCutOff = bytes.size - at > TAG_BYTES_MAX && samples <= secondsMax * sampleRate;
  return {
    codec,
    sampleRate,
    channelCount,
    ...(channelMask !== undefined && { channelMask }),
    durationSeconds: samples / sampleRate,
    isCutOff,
    hasVideo: false,
  };
}
