import type { InputVideoTrack } from 'mediabunny';
import { assertBoundedDecoding } from '../files/containers/assert-bounded-decoding.ts';
import { readClock } from '../files/containers/read-clock.ts';
import { endOfClock, WHOLE_CLOCK } from '../kernels/timing/track-clock.ts';
import { COUNTED_FRAMES_MAX } from '../kernels/video/frame-rate.ts';
import type { DecodedVideo, VideoDecodeOptions } from '../runtime/video-codec.ts';
import { assertNoMissingFrames } from './assert-no-missing-frames.ts';
import { damagedVideo, openVideoTrack } from './open-input.ts';
import { placeFrames, type TrackDecoder } from './place-frames.ts';

/**
 * Opens a video with any decoder.
 * @param decoderOf prepares a decoder for a track
 * @throws OperationError `unprocessable` when the file cannot be read; any error of `decoderOf` for the user
 */
export async function openVideo(
  input: Blob,
  { signal }: VideoDecodeOptions,
  decoderOf: (track: InputVideoTrack) => Promise<TrackDecoder>,
): Promise<DecodedVideo> {
  signal.throwIfAborted();
  const track = await openVideoTrack(input);
  try {
    const { decode, isPlaced } = await decoderOf(track);
    const clock = await readClock(input, track);
    const endSeconds = await track.computeDuration();
    // A header, which probing goes by, may state another length than the packets have.
    assertBoundedDecoding(clock, endSeconds);
    const durationSeconds = endOfClock(clock, endSeconds);
    const placing = isPlaced ? WHOLE_CLOCK : clock;
    const { averagePacketRate } = await track.computePacketStats(COUNTED_FRAMES_MAX);
    return {
      width: await track.getDisplayWidth(),
      height: await track.getDisplayHeight(),
      durationSeconds,
      frameRate: averagePacketRate,
      frames: () => assertNoMissingFrames(placeFrames(decode, placing, signal), durationSeconds),
    };
  } catch (thrown) {
    throw damagedVideo(thrown);
  }
}
