import type { Source } from 'mediabunny';
import { OperationError } from '../../core/operation/errors.ts';
import { decodedSeconds, playedSeconds, type TrackClock } from '../../kernels/track-clock.ts';

/** Reads in a row of bytes that were read just before, which no reader needs. */
const REPEATS_MAX = 1000;
/** Number of reads that count as just before: a search may read a few places in turn. */
const RECENT_READS = 8;

type Read = (start: number, end: number, ...limits: unknown[]) => unknown;

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

/**
 * Makes a source of mediabunny (1.61) fail when the same bytes are read over and over: its search for the next element
 * of a damaged Matroska file never leaves the last 8 bytes, and ADTS frames may claim no length. Such a search neither
 * reads the file itself nor lets anything else run.
 * @returns the same source
 */
export function failOnRepeatedReads<Any extends Source>(source: Any): Any {
  const internal = source as unknown as { _read: Read };
  const read = internal._read.bind(source);
  const recent: string[] = [];
  let repeats = 0;
  internal._read = (start, end, ...limits) => {
    const range = `${start}-${end}`;
    if (recent.includes(range)) repeats += 1;
    else {
      repeats = 0;
      recent.push(range);
      if (recent.length > RECENT_READS) recent.shift();
    }
    if (repeats > REPEATS_MAX) {
      throw new OperationError(
        'bad_request',
        'The file is damaged: its elements are inconsistent. Export it again.',
        { kind: 'damaged' },
      );
    }
    return read(start, end, ...limits);
  };
  return source;
}
