import { OperationError } from '../../core/operation/errors.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { DecodedVideo, VideoFrame } from '../../core/runtime/video-codec.ts';
import { decodingPasses, placedParts, type TrackClock } from '../../kernels/track-clock.ts';
import type { VideoFacts } from '../containers/video-header.ts';
import { TOLERANCE_SECONDS, type VideoLimits } from './video-limits.ts';

/** Decoder of a track, ready to start. */
export interface TrackDecoder {
  readonly decode: DecodeFrames;
  /** Whether frames have their times on the clock of the file already, as FFmpeg's demuxers give them. */
  readonly isPlaced: boolean;
}

/** Decodes the frames of a track from its start, as shown, with the times of their packets. */
type DecodeFrames = () => AsyncIterable<VideoFrame>;

export interface VideoFramesOptions {
  /** Facts from probing, as of pricing. */
  readonly facts: VideoFacts;
  readonly limits: Pick<VideoLimits, 'secondsMax' | 'frameRateMax'>;
  /** Called after the work on each frame, when the next one is requested. */
  readonly progress: ReportProgress;
}

/**
 * Yields the frames of a video while it is no longer than its header said when the price was made.
 * @throws OperationError `unprocessable` at the first frame beyond that
 */
export async function* videoFrames(
  video: DecodedVideo,
  { facts, limits, progress }: VideoFramesOptions,
): AsyncGenerator<VideoFrame> {
  const { durationSeconds } = facts;
  const framesMax = limits.secondsMax * limits.frameRateMax;
  const done = videoProgress(video, facts, progress);
  let count = 0;
  for await (const frame of video.frames()) {
    if (frame.timestampSeconds > durationSeconds + TOLERANCE_SECONDS || ++count > framesMax) {
      throw new OperationError(
        'unprocessable',
        `The video is longer than the ${durationSeconds.toFixed(1)} seconds that its header states. Export it again.`,
      );
    }
    yield frame;
    done(frame);
  }
}

/**
 * Reports the progress of a video, frame by frame. Without a count in the header, the total is estimated from the
 * frames so far.
 * @returns a function to call after each frame
 */
export function videoProgress(
  { durationSeconds }: Pick<DecodedVideo, 'durationSeconds'>,
  { frameCount, isFrameCountExact }: Pick<VideoFacts, 'frameCount' | 'isFrameCountExact'>,
  progress: ReportProgress,
): (frame: Pick<VideoFrame, 'timestampSeconds' | 'durationSeconds'>) => void {
  let done = 0;
  return (frame) => {
    done += 1;
    const fraction = Math.min(1, (frame.timestampSeconds + frame.durationSeconds) / durationSeconds);
    // A first frame at 0 without a duration tells nothing of the length.
    const total = Math.max(done, frameCount ?? (fraction > 0 ? Math.round(done / fraction) : 0));
    progress({ fraction, count: { done, total, isGuess: !isFrameCountExact, unit: 'frame' } });
  };
}

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
    // The receiver may modify a frame, so that a second showing needs its own pixels.
    const { data } = frame;
    const pixels = isOriginal ? data : data.slice();
    isOriginal = false;
    yield { ...frame, data: pixels, timestampSeconds: startSeconds, durationSeconds: lengthSeconds };
  }
}
