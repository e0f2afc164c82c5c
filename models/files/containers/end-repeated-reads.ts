import type { Source } from 'mediabunny';
import { OperationError } from '../../errors.ts';

/** Consecutive reads of the same bytes, which no reader needs. */
const REPEATS_MAX = 1000;

type Read = (start: number, end: number, ...limits: unknown[]) => unknown;

/**
 * Makes a source of mediabunny (1.61) fail when the same bytes are read over and over: its search for the next element of
 * a damaged Matroska file never leaves the last 8 bytes, and it neither reads the file itself nor lets anything else run.
 * @returns the same source
 */
export function endRepeatedReads<Any extends Source>(source: Any): Any {
  const internal = source as unknown as { _read: Read };
  const read = internal._read.bind(source);
  let last = '';
  let repeats = 0;
  internal._read = (start, end, ...limits) => {
    const range = `${start}-${end}`;
    repeats = range === last ? repeats + 1 : 0;
    last = range;
    if (repeats > REPEATS_MAX) {
      throw new OperationError(
        'bad_request',
        'The file is damaged: its elements are inconsistent. Export it again.',
      );
    }
    return read(start, end, ...limits);
  };
  return source;
}
