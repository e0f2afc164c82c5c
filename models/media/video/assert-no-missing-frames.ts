import { OperationError } from '../../core/operation/errors.ts';
import type { VideoFrame } from '../../core/runtime/video-codec.ts';

/**
 * Share of the declared duration that may be missing: headers round, and the last frame's duration is often a guess.
 */
const MISSING_MAX = 0.1;

/**
 * Yields all frames and checks that none is missing.
 * @param durationSeconds from the file's header
 * @param onEnd called at the end with the end of the last frame in seconds
 * @throws OperationError `unprocessable` at the end when the frames end long before that: the file is truncated
 */
export async function* assertNoMissingFrames(
  frames: AsyncIterable<VideoFrame>,
  durationSeconds: number,
  onEnd: (reachedSeconds: number) => void = () => {},
): AsyncGenerator<VideoFrame> {
  let reachedSeconds = 0;
  for await (const frame of frames) {
    reachedSeconds = frame.timestampSeconds + frame.durationSeconds;
    yield frame;
  }
  onEnd(reachedSeconds);
  if (reachedSeconds >= durationSeconds * (1 - MISSING_MAX)) return;
  const percent = Math.floor((reachedSeconds / durationSeconds) * 100);
  throw new OperationError(
    'unprocessable',
    `The end of the video is missing: the first ${percent} % could be read. Send the whole file.`,
  );
}
