import { OperationError } from '../../core/operation/errors.ts';
import type { VideoFrame } from '../../core/runtime/video-codec.ts';
import { decodingPasses, placedParts, type TrackClock } from '../../kernels/timing/track-clock.ts';

/** Decoder of a track, ready to start. */
export interface TrackDecoder {
  readonly decode: DecodeFrames;
  /** Whether frames have their times on the clock of the file already, as FFmpeg's demuxers give them. */
  readonly isPlaced: boolean;
}

/** Decodes the frames of a track from its start, as shown, with the times of their packets. */
export type DecodeFrames = () => AsyncIterable<VideoFrame>;

/**
 * Yields the frames that are played, at their times on the clock of the file. A frame without a duration lasts as long
 * as the one before it. An edit list that goes back in time costs another decoding of the track for each time it does.
 * @throws OperationError `unprocessable` when the frames themselves go back, which no container holds
 */
export async function* placeFrames(
  decode: DecodeFrames,
  clock: TrackClock,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  let reachedSeconds = Number.NEGATIVE_INFINITY;
  for (const pass of decodingPasses(clock)) {
    const endSeconds = Math.max(...pass.map(({ toSeconds }) => toSeconds));
    let lastingSeconds = 0;
    for await (const frame of decode()) {
      signal.throwIfAborted();
      if (frame.timestampSeconds >= endSeconds) break;
      if (frame.durationSeconds > 0) lastingSeconds = frame.durationSeconds;
      for (const placed of placedFrames(frame, lastingSeconds, pass)) {
        if (placed.timestampSeconds < reachedSeconds) throw goingBack();
        reachedSeconds = placed.timestampSeconds;
        yield placed;
      }
    }
  }
}

function goingBack(): OperationError {
  return new OperationError(
    'unprocessable',
    'The video is damaged: its frames go back in time. Export it again.',
    { kind: 'damaged' },
  );
}

function* placedFrames(frame: VideoFrame, lastingSeconds: number, pass: TrackClock): Generator<VideoFrame> {
  let isOriginal = true;
  for (const { startSeconds, lengthSeconds } of placedParts(pass, frame.timestampSeconds, lastingSeconds)) {
    // The receiver may modify a frame, so that a second showing needs pixels of its own.
    const { data } = frame;
    const pixels = isOriginal ? data : data.slice();
    isOriginal = false;
    yield { ...frame, data: pixels, timestampSeconds: startSeconds, durationSeconds: lengthSeconds };
  }
}
