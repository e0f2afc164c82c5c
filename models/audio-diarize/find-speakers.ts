import { agglomerate, type ClusterRule, type Points } from '../kernels/cluster/agglomerate.ts';

/** Rule by which embeddings are one speaker's. */
export interface SpeakerRule extends Pick<ClusterRule, 'linkage' | 'distanceMax'> {
  /** Smaller clusters are no speaker, unless all are small or a number of speakers is given. */
  readonly sizeMin: number;
}

/** Points that are clustered: the memory grows with their square. */
const POINTS_MAX = 2000;

/**
 * Finds the speakers of embeddings.
 * @param speakerCount forces that number, or that of the embeddings if there are fewer; estimated when absent
 * @returns the mean embedding of each, of length 1
 */
export function findSpeakers(embeddings: Points, rule: SpeakerRule, speakerCount?: number): Float32Array[] {
  const points = sampled(embeddings);
  const labels = agglomerate(points, {
    linkage: rule.linkage,
    distanceMax: speakerCount === undefined ? rule.distanceMax : Number.POSITIVE_INFINITY,
    countMin: Math.min(speakerCount ?? 1, points.values.length / points.dimensions),
  });
  const sizes = new Map<number, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const sizeMin = speakerCount === undefined ? Math.min(rule.sizeMin, Math.max(...sizes.values())) : 1;
  return [...sizes].filter(([, size]) => size >= sizeMin).map(([label]) => meanOf(points, labels, label));
}

/** Returns the cosine between the unit vector that begins at `from` and another. */
export function cosine(values: Float32Array, from: number, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < other.length; at++) sum += (values[from + at] as number) * (other[at] as number);
  return sum;
}

/** Returns at most `POINTS_MAX` embeddings, evenly spread. */
function sampled(points: Points): Points {
  const { dimensions, values } = points;
  const count = values.length / dimensions;
  if (count <= POINTS_MAX) return points;
  const kept = new Float32Array(POINTS_MAX * dimensions);
  for (let at = 0; at < POINTS_MAX; at++) {
    const from = Math.floor((at * count) / POINTS_MAX) * dimensions;
    kept.set(values.subarray(from, from + dimensions), at * dimensions);
  }
  return { dimensions, values: kept };
}

function meanOf({ dimensions, values }: Points, labels: Int32Array, label: number): Float32Array {
  const mean = new Float32Array(dimensions);
  labels.forEach((each, point) => {
    if (each !== label) return;
    for (let at = 0; at < dimensions; at++) {
      mean[at] = (mean[at] as number) + (values[point * dimensions + at] as number);
    }
  });
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}
