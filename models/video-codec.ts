import type { Raster8 } from './kernels/opaque.ts';

export const VIDEO_FORMATS = ['mp4', 'webm'] as const;
export type VideoFormat = (typeof VIDEO_FORMATS)[number];

/** A raster and when it is shown. Colours are sRGB or BT.709, which share their primaries; alpha is straight. */
export interface VideoFrame extends Raster8 {
  /** From the start of the video; never negative, rising from frame to frame. */
  readonly timestampSeconds: number;
  readonly durationSeconds: number;
}

/** A video that can be read, as it is shown: turned and with square pixels. */
export interface Video {
  readonly width: number;
  readonly height: number;
  /** End of the last frame. */
  readonly durationSeconds: number;
  /** Mean frames a second: single frames may last much longer or shorter. */
  readonly frameRate: number;
  /**
   * Frame by frame, as many decoded ahead as its codec needs. Each frame is the caller's to change.
   * @throws OperationError `unprocessable` when the samples are corrupt or cut off
   */
  frames(): AsyncIterable<VideoFrame>;
}

export interface VideoDecodeOptions {
  readonly signal: AbortSignal;
}

export interface VideoEncodeOptions {
  /** `mp4` is H.264 and holds no alpha, `webm` is VP9 and does. */
  readonly format: VideoFormat;
  /** Whether the frames' alpha is written. */
  readonly alpha: boolean;
  /** Mean frames a second of all that come, by which an encoder shares out its bits. */
  readonly frameRate: number;
  /** The file whose sound goes along: copied where the format holds its codec, else encoded anew; null for none. */
  readonly soundFrom: Blob | null;
  readonly signal: AbortSignal;
}

export interface EncodedVideo {
  readonly blob: Blob;
  /** Sentences for the user about what became of the sound. */
  readonly warnings: readonly string[];
}

export interface VideoCodec {
  /**
   * @throws OperationError `unprocessable` when the file cannot be read; `unavailable` when this device has no decoder
   *   for it, but the server has
   */
  decode(input: Blob, options: VideoDecodeOptions): Promise<Video>;
  /**
   * Writes frames, all of one size, with the times they carry. An odd side becomes even in mp4, by repeating the edge.
   * What is compressed is held in memory, of the frames only those that the encoder looks ahead at.
   * @throws OperationError `unprocessable` without frames; `unavailable` when this device has no such encoder
   */
  encode(frames: AsyncIterable<VideoFrame>, options: VideoEncodeOptions): Promise<EncodedVideo>;
}
