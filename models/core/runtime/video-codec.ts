import type { Raster8 } from './raster.ts';
import type { RunWarning } from './run-warnings.ts';

export const VIDEO_FORMATS = ['mp4', 'webm'] as const;
export type VideoFormat = (typeof VIDEO_FORMATS)[number];

/** Raster with its presentation time. Colours are sRGB or BT.709, which share their primaries; alpha is straight. */
export interface VideoFrame extends Raster8 {
  /** Time from the start of the video; never negative, increasing from frame to frame. */
  readonly timestampSeconds: number;
  readonly durationSeconds: number;
  /** Whether its decoder has met damage, so that a gap before it is damage. Defaults to false. */
  readonly followsDamage?: boolean;
}

/** Readable video as shown: rotated and with square pixels. */
export interface DecodedVideo {
  readonly width: number;
  readonly height: number;
  /** End of the last frame. */
  readonly durationSeconds: number;
  /** Mean frames per second: single frames may last much longer or shorter. */
  readonly frameRate: number;
  /**
   * Yields the frames in order, decoding ahead only as far as the codec needs. The caller may modify each frame.
   * @throws OperationError `unprocessable` when the samples are corrupt or truncated
   */
  frames(): AsyncIterable<VideoFrame>;
  /** Returns warnings about what of the video could not be read; complete once `frames` has been read. */
  warnings(): readonly RunWarning[];
}

export interface VideoDecodeOptions {
  readonly signal: AbortSignal;
}

export interface VideoEncodeOptions {
  /** `mp4` is H.264 without alpha, `webm` is VP9 with optional alpha. */
  readonly format: VideoFormat;
  /** Whether to write the frames' alpha. */
  readonly alpha: boolean;
  /** Mean frames per second of the whole video, for the encoder's rate control. */
  readonly frameRate: number;
  /** File whose audio is added: copied where the format holds its codec, else re-encoded; null for none. */
  readonly soundFrom: Blob | null;
  readonly signal: AbortSignal;
}

export interface EncodedVideo {
  readonly blob: Blob;
  /** Sentences for the user about the audio. */
  readonly warnings: readonly RunWarning[];
}

export interface VideoCodec {
  /**
   * Opens a video.
   * @throws OperationError `unprocessable` when the file cannot be read; `unavailable` when this device has no
   *   decoder for it, but the server has
   */
  decode(input: Blob, options: VideoDecodeOptions): Promise<DecodedVideo>;
  /**
   * Writes frames of one size at their own times. In mp4 an odd side becomes even by repeating the edge. Holds
   * compressed data in memory, but only the frames that the encoder looks ahead at.
   * @throws OperationError `unprocessable` without frames; `unavailable` when this device has no such encoder
   */
  encode(frames: AsyncIterable<VideoFrame>, options: VideoEncodeOptions): Promise<EncodedVideo>;
}
