import { formatClock } from '../../text/quantities.ts';
import type { Segment, Speaker } from './timeline.ts';

/** Filter of the segments. */
export interface SegmentQuery {
  /** Beginning of a time, such as `12:3`, or part of a speaker's name; empty for all. */
  readonly text: string;
  /** Number of a speaker; undefined for all. */
  readonly speaker: number | undefined;
}

export const ALL_SEGMENTS: SegmentQuery = { text: '', speaker: undefined };

/** Lists the places of the segments that a query finds, in order. */
export function findSegments(
  segments: readonly Segment[],
  speakers: readonly Speaker[],
  { text, speaker: wanted }: SegmentQuery,
): readonly number[] {
  const query = text.trim().toLowerCase();
  const named = new Set(
    speakers.filter(({ name }) => name.toLowerCase().includes(query)).map(({ id }) => id),
  );
  return segments.flatMap(({ speaker, start }, place) => {
    const isOfSpeaker = wanted === undefined || speaker === wanted;
    const isFound = query === '' || named.has(speaker) || formatClock(start).startsWith(query);
    return isOfSpeaker && isFound ? [place] : [];
  });
}

/** Returns the found place after or before another one; undefined at the end. */
export function stepAmong(found: readonly number[], place: number, direction: 1 | -1): number | undefined {
  return direction > 0 ? found.find((each) => each > place) : found.findLast((each) => each < place);
}
