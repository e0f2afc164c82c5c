import type { InputVideoTrack } from 'mediabunny';
import { COUNTED_FRAMES_MAX } from '../kernels/video/frame-rate.ts';
import type { DecodedVideo, VideoDecodeOptions, VideoFrame } from '../runtime/video-codec.ts';
import { assertNoMissingFrames } from './assert-no-missing-frames.ts';
import { damagedVideo, openVideoTrack } from './open-input.ts';

/** Decodes the frames of a track from its start, as shown, with the times of their packets. */
export type DecodeFrames = () => AsyncIterable<VideoFrame>;

/**
 * Opens a video with any decoder.
 * @param decoderOf prepares a decoder for a track
 * @throws OperationError `unprocessable` when the file cannot be read; any error of `decoderOf` for the user
 */
export async function openVideo(
  input: Blob,
  { signal }: VideoDecodeOptions,
  decoderOf: (track: InputVideoTrack) => Promise<DecodeFrames>,
): Promise<DecodedVideo> {
  signal.throwIfAborted();
  const track = await openVideoTrack(input);
  try {
    const decode = await decoderOf(track);
    const durationSeconds = await track.computeDuration();
    const { averagePacketRate } = await track.computePacketStats(COUNTED_FRAMES_MAX);
    return {
      width: await track.getDisplayWidth(),
      height: await track.getDisplayHeight(),
      durationSeconds,
      frameRate: averagePacketRate,
      frames: () => assertNoMissingFrames(shownFrames(decode(), signal), durationSeconds),
    };
  } catch (thrown) {
    throw damagedVideo(thrown);
  }
}

/** Drops frames before the start. A frame without a duration lasts as long as the one before it. */
async function* shownFrames(
  decoded: AsyncIterable<VideoFrame>,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  let lastingSeconds = 0;
  for await (const frame of decoded) {
    signal.throwIfAborted();
    if (frame.durationSeconds > 0) lastingSeconds = frame.durationSeconds;
    const timestampSeconds = Math.max(0, frame.timestampSeconds);
    const endSeconds = frame.timestampSeconds + lastingSeconds;
    if (frame.timestampSeconds < 0 && endSeconds <= 0) continue;
    yield { ...frame, timestampSeconds, durationSeconds: Math.max(0, endSeconds - timestampSeconds) };
  }
}
