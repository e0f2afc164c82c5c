import { mergeCloseSpans } from '../../kernels/audio/speech-regions.ts';
import { SpeakerAssignment } from './assign-speakers.ts';
import { RELATION_MAX_IN_PART } from './clustering/count-speakers.ts';
import { type Segment, sortSegments } from './segmentation/segment.ts';
import type { SpokenPart } from './speech-windows.ts';

/** Windows of a channel, about 5 s of speech, under which nothing tells its speakers apart: it is one person's. */
const WINDOWS_MIN = 10;

/** Speech in one part of the sound, with the embeddings of its windows, one after another. */
export interface EmbeddedPart extends SpokenPart {
  readonly embeddings: Float32Array;
}

/**
 * Divides the speech of each part of the sound among speakers. No speaker is in two parts.
 * @param speakerCount of all parts together; estimated when absent. Fewer than parts are understood as one in each
 * @returns segments of each part in order of their starts, speakers of each numbered from 0 by first appearance
 */
export function assignParts(parts: readonly EmbeddedPart[], speakerCount?: number): Segment[][] {
  const assignments = parts.map(
    ({ regions, windows, embeddings }) => new SpeakerAssignment(regions, windows, embeddings),
  );
  if (speakerCount === undefined) {
    if (parts.length === 1) return assignments.map((assignment) => assignment.segments());
    return assignments.map((assignment, at) => {
      const isShort = parts[at].windows.length < WINDOWS_MIN;
      return isShort ? assignment.segmentsAmong(1) : assignment.segments(RELATION_MAX_IN_PART);
    });
  }
  const counts = shareSpeakers(assignments, speakerCount);
  return assignments.map((assignment, at) => assignment.segmentsAmong(counts[at]));
}

/**
 * Joins the turns of all parts into one sequence.
 * @param parts turns in order of their starts, the speakers of each part numbered from 0
 * @param speakerCount that is known; where it is 1, all turns are that speaker's
 * @returns turns in order of their starts, speakers numbered by first appearance
 */
export function joinParts(parts: readonly (readonly Segment[])[], speakerCount?: number): readonly Segment[] {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  if (speakerCount === 1) {
    const spans = parts.flat().toSorted((one, other) => one.start - other.start);
    return mergeCloseSpans(spans, 0).map(({ start, end }) => ({ speaker: 0, start, end }));
  }
  let first = 0;
  const apart = parts.flatMap((segments) => {
    const own = segments.map((segment) => ({ ...segment, speaker: first + segment.speaker }));
    first += Math.max(-1, ...segments.map(({ speaker }) => speaker)) + 1;
    return own;
  });
  return sortSegments(apart);
}

/** Gives each part one speaker, and one after the other the rest to where a further one fits best. */
function shareSpeakers(assignments: readonly SpeakerAssignment[], speakerCount: number): number[] {
  const [only] = assignments;
  if (only && assignments.length === 1) return [speakerCount];
  const counts = assignments.map(() => 1);
  const gainOf = (assignment: SpeakerAssignment, count: number) =>
    assignment.scoreAmong(count + 1) - assignment.scoreAmong(count);
  const gains = assignments.map((assignment) => gainOf(assignment, 1));
  for (let given = counts.length; given < speakerCount; given++) {
    const at = gains.indexOf(Math.max(...gains));
    const count = counts[at] + 1;
    counts[at] = count;
    gains[at] = gainOf(assignments[at], count);
  }
  return counts;
}
