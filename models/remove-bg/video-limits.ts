import { OperationError } from '../errors.ts';
import { probeVideo, type VideoFacts } from '../kernels/video-header.ts';
import type { Video, VideoFrame } from '../video-codec.ts';

const SECONDS_MAX = 60;
const SIDE_MAX = 3840;
const RATE_MAX = 60;
const FRAMES_MAX = SECONDS_MAX * RATE_MAX;
/** Each second may be frames of the largest size at the highest rate; an hour for the longest. */
const RUN_SECONDS_PER_SECOND = 55;
const RUN_SECONDS_BASE = 300;
/** Headers round to their clocks, and sound ends a little after the pictures. */
const TOLERANCE_SECONDS = 0.1;

export const VIDEO_LIMITS = {
  bytesMax: 200_000_000,
  text: `an MP4, MOV, WebM or MKV video of at most 200 MB, ${SECONDS_MAX} seconds, ${RATE_MAX} frames a second and ${SIDE_MAX} pixels a side`,
};

/** @throws OperationError `bad_request` when the bytes are no video that is taken, or it is beyond a limit */
export async function probeCutoutVideo(input: Blob): Promise<VideoFacts> {
  const facts = await probeVideo(input, { secondsMax: SECONDS_MAX + TOLERANCE_SECONDS });
  const { width, height, durationSeconds, frameCount } = facts;
  if (durationSeconds > SECONDS_MAX + TOLERANCE_SECONDS) {
    refuse(`lasts ${durationSeconds.toFixed(1)} seconds. At most ${SECONDS_MAX} are allowed`);
  }
  if (Math.max(width, height) > SIDE_MAX) {
    refuse(`has ${width} x ${height} pixels. At most ${SIDE_MAX} a side are allowed`);
  }
  if (frameCount !== null && frameCount > (durationSeconds + TOLERANCE_SECONDS) * RATE_MAX) {
    refuse(`has more than ${RATE_MAX} frames a second`);
  }
  return facts;
}

/** Seconds that are charged: those that were started. */
export function startedSeconds({ durationSeconds }: Pick<VideoFacts, 'durationSeconds'>): number {
  return Math.max(1, Math.ceil(durationSeconds - TOLERANCE_SECONDS));
}

/** What a run may take: in relation to its length, beside what an image has. */
export function videoRunSecondsMax(facts: Pick<VideoFacts, 'durationSeconds'>): number {
  return RUN_SECONDS_BASE + RUN_SECONDS_PER_SECOND * startedSeconds(facts);
}

/**
 * The frames of a video, as long as it is no longer than its header said when the price was made.
 * @throws OperationError `unprocessable`
 */
export async function* checkedFrames(video: Video, facts: VideoFacts): AsyncGenerator<VideoFrame> {
  let count = 0;
  for await (const frame of video.frames()) {
    if (frame.timestampSeconds > facts.durationSeconds + TOLERANCE_SECONDS || ++count > FRAMES_MAX) {
      throw new OperationError(
        'unprocessable',
        `The video is longer than the ${facts.durationSeconds.toFixed(1)} seconds that its header tells. Export it anew.`,
      );
    }
    yield frame;
  }
}

function refuse(fault: string): never {
  throw new OperationError('bad_request', `The video ${fault}.`);
}
