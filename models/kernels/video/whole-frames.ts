import { OperationError } from '../../errors.ts';
import type { VideoFrame } from '../../video-codec.ts';

/** Of the length that a file claims: headers round, and the last frame's length is often a guess. */
const MISSING_MAX = 0.1;

/**
 * Frames as they come, none missing.
 * @param durationSeconds as the file's header says
 * @throws OperationError `unprocessable` at the end when they end long before that: the file is cut off
 */
export async function* wholeFrames(
  frames: AsyncIterable<VideoFrame>,
  durationSeconds: number,
): AsyncGenerator<VideoFrame> {
  let reachedSeconds = 0;
  for await (const frame of frames) {
    reachedSeconds = frame.timestampSeconds + frame.durationSeconds;
    yield frame;
  }
  if (reachedSeconds >= durationSeconds * (1 - MISSING_MAX)) return;
  const [reached, length] = [reachedSeconds, durationSeconds].map((seconds) => seconds.toFixed(1));
  throw new OperationError(
    'unprocessable',
    `The video is cut off: its pictures end after ${reached} of ${length} s. Send the whole file.`,
  );
}

/** What reading a container or its samples came to. */
export function damagedVideo(cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  return new OperationError('unprocessable', 'The video is damaged. Export it anew.', { cause });
}
