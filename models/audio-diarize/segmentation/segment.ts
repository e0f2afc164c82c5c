import type { TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { renumberByAppearance } from '../../kernels/cluster/agglomerate.ts';

/** Speech of one speaker, in seconds. */
export interface Segment extends TimeSpan {
  readonly speaker: number;
}

/** Sorts segments by their starts, and numbers speakers by first appearance. */
export function sortSegments(segments: readonly Segment[]): Segment[] {
  const sorted = segments.toSorted((one, other) => one.start - other.start);
  const numbers = renumberByAppearance(sorted.map(({ speaker }) => speaker));
  return sorted.map((segment, at) => ({ ...segment, speaker: numbers[at] as number }));
}
