import type { BatchItem } from '../../../models/core/operation/batch.ts';
import type { Executor } from '../../base/database/db.ts';
import { listSettledItems } from './batch-items.ts';
import type { JobResult } from './job-result.ts';

/**
 * Returns the result of a batch whose items are settled: only those that an attempt has run with success are charged.
 * @param items those that needed a run
 */
export async function summarizeBatch(
  db: Executor,
  jobId: string,
  items: readonly Pick<BatchItem, 'position' | 'price'>[],
): Promise<JobResult> {
  const outcomes = await listSettledItems(db, jobId);
  const successes = outcomes.flatMap(({ position, outcome }) =>
    outcome.status === 'success' ? [{ position, outcome }] : [],
  );
  const done = new Set(successes.map(({ position }) => position));
  const charged = items.filter(({ position }) => done.has(position));
  const weights = successes.flatMap(({ outcome }) => outcome.weights ?? []);
  return {
    files: [],
    engine: [...new Set(successes.map(({ outcome }) => String(outcome.engine)))].join(', '),
    warnings: [],
    weights: [...new Map(weights.map((each) => [each.sha256, each])).values()],
    charge: charged.reduce((sum, { price }) => sum + BigInt(price), 0n),
  };
}
