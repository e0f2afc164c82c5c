import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchItem, BatchParams } from '../../models/batch.ts';
import { mapInLanes } from '../in-lanes.ts';
import { type DoneItem, type JobResult, settledItems, settleItem } from '../jobs/index.ts';
import { carryOut, type Run, type RunOutcome, type Workshop } from './carry-out.ts';
import { patiently } from './patiently.ts';
import type { Product, Work } from './work.ts';

/** How often an item is tried that does not succeed by our fault. */
const TRIES_MAX = 2;

/**
 * Carries out each item of a batch that no earlier attempt has settled as a run of its own, as many at once as the pool
 * lets. One that fails hinders no other and costs nothing; what became of each is noted as soon as it is known.
 */
export async function produceBatch(shop: Workshop, work: Work): Promise<Product> {
  const { db, env } = shop.ctx;
  const { items } = work.claim.params as BatchParams;
  const known = new Set((await settledItems(db, work.claim.id)).map(({ position }) => position));
  const left = items.filter(({ position }) => !known.has(position));
  const progress = progressOf(items.length, left.length, work.onProgress);
  const ends = await mapInLanes(left, env.RUNNER_CONCURRENCY, async (item, at) => {
    // A runner that stops hands the whole batch back: what is not begun yet need not be.
    if (shop.signal.aborted) return 'broken off';
    const done = await doItem(shop, work, item, progress(at));
    if (!done) return 'broken off';
    await settle(shop, work, done);
    progress(at)(1);
    return 'settled';
  });
  if (ends.includes('broken off')) return { next: 'hand-back' };
  return { next: 'complete', result: await resultOf(shop, work, items) };
}

/** @returns null when the work was broken off */
async function doItem(
  shop: Workshop,
  work: Work,
  item: BatchItem,
  onProgress: (fraction: number) => void,
): Promise<DoneItem | null> {
  const { position } = item;
  const directory = join(work.directory, String(position));
  await mkdir(directory);
  try {
    const end = await carryOutPatiently(shop, { ...runOf(work, item), directory, onProgress });
    switch (end.next) {
      case 'complete': {
        const { engine, warnings, details, files } = end.result;
        const outcome = { ...details, status: 'success' as const, engine, warnings };
        const [file] = files;
        const cacheKey = item.cacheKey === undefined ? undefined : Buffer.from(item.cacheKey, 'hex');
        return { position, outcome, ...(file && { file }), ...(cacheKey && { cacheKey }) };
      }
      case 'hand-back':
        return null;
      case 'retry':
        return failed(position, `processing_failed: ${end.reason}. Nothing was charged; try again later.`);
      default:
        return failed(position, end.message);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function failed(position: number, error: string): DoneItem {
  return { position, outcome: { status: 'failed', error } };
}

function runOf(
  { claim, operation }: Work,
  { position, params, facts, attachments }: BatchItem,
): Omit<Run, 'directory' | 'onProgress'> {
  const keyOf = (role: 'input' | 'attachment', at: number): string => {
    const file = claim.files.find((given) => given.role === role && given.position === at);
    if (!file) throw new Error(`item ${position} lacks its ${role}`);
    return file.key;
  };
  const attachmentKeys = Object.entries(attachments).map(([name, at]) => [name, keyOf('attachment', at)]);
  return {
    ...{ jobId: claim.id, operation, params, facts },
    inputKey: keyOf('input', position),
    attachmentKeys: Object.fromEntries(attachmentKeys),
  };
}

async function carryOutPatiently(shop: Workshop, run: Run): Promise<RunOutcome> {
  for (let tries = 1; ; tries++) {
    const end = await carryOut(shop, run);
    if (end.next !== 'retry' || tries >= TRIES_MAX) return end;
  }
}

async function settle({ ctx }: Workshop, { claim }: Work, done: DoneItem): Promise<void> {
  if (await patiently(() => settleItem(ctx.db, claim, done))) return;
  if (done.file) await ctx.storage.delete(done.file.key);
  throw new Error('overtaken by another attempt');
}

/** The sum of all attempts. What needed no run has no price. */
async function resultOf({ ctx }: Workshop, { claim }: Work, items: readonly BatchItem[]): Promise<JobResult> {
  const outcomes = await settledItems(ctx.db, claim.id);
  const engines = new Map(
    outcomes.flatMap(({ position, outcome }) =>
      outcome.status === 'success' ? [[position, String(outcome.engine)] as const] : [],
    ),
  );
  const charged = items.filter(({ position }) => engines.has(position));
  return {
    files: [],
    engine: [...new Set(engines.values())].join(', '),
    warnings: [],
    charge: charged.reduce((sum, { price }) => sum + BigInt(price), 0n),
  };
}

/** The mean of what each item tells; those of earlier attempts are done. */
function progressOf(count: number, leftCount: number, report: (fraction: number) => void) {
  const fractions = new Float64Array(leftCount);
  return (at: number) => (fraction: number) => {
    fractions[at] = Math.max(fractions[at] ?? 0, fraction);
    report(fractions.reduce((sum, each) => sum + each, count - leftCount) / count);
  };
}
