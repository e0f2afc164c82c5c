import { OperationError } from '../../core/operation/errors.ts';
import { decodedSeconds, playedSeconds, type TrackClock } from '../../kernels/timing/track-clock.ts';

/** Decoding of a track, as a multiple of its media, or of what it plays where it plays parts of them repeatedly. */
const DECODINGS_MAX = 4;

/**
 * Checks that an edit list does not go back in time so often that its track is decoded over and over.
 * @param endSeconds end of the track's last packet
 * @throws OperationError `unprocessable` when decoding would take far longer than what is played
 */
export function assertBoundedDecoding(clock: TrackClock, endSeconds: number): void {
  const most = DECODINGS_MAX * Math.max(endSeconds, playedSeconds(clock, endSeconds));
  if (decodedSeconds(clock, endSeconds) <= most) return;
  throw new OperationError(
    'unprocessable',
    'The edit list of the file goes back in time too often. Export the file again, with its edits applied.',
  );
}
