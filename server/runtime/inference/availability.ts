import type { WeightSource } from '../../../models/core/runtime/inference.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';

/** Sources of models, which decide what a process can run. */
export interface ModelSources {
  readonly weights: Pick<WeightSource, 'has'> & { mayFetch(card: WeightCard): Promise<boolean> };
  /** URLs of models on an inference server, by the id of their weights. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** Limit for all sessions in this process together. */
  readonly memoryBytesMax: number;
  /** Returns the memory of a session as measured on this machine. Absent: what its card declares. */
  readonly getMemory?: ((card: WeightCard) => Promise<number>) | undefined;
  /** Licences of weights that may be used; all when absent. */
  readonly licences?: 'commercial' | 'all';
}

/** Reports whether the licence of a file lets the service use it. */
export function isLicensed({ licence }: WeightCard, licences: ModelSources['licences'] = 'all'): boolean {
  return licences === 'all' || licence.commercial === undefined;
}

/** Tells whether a model can run, as `Inference.availability` does. */
export async function findAvailability(
  card: WeightCard,
  { weights, endpoints, memoryBytesMax, getMemory, licences }: ModelSources,
): Promise<'ready' | 'download' | 'unavailable'> {
  if (!isLicensed(card, licences)) return 'unavailable';
  if (endpoints.has(card.id)) return 'ready';
  const memoryBytes = getMemory ? await getMemory(card) : card.memoryBytes;
  if (memoryBytes > memoryBytesMax) return 'unavailable';
  if (await weights.has(card)) return 'ready';
  return (await weights.mayFetch(card)) ? 'download' : 'unavailable';
}
