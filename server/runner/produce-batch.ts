import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchItem, BatchOutcome, BatchParams } from '../../models/batch.ts';
import { mapInLanes } from '../in-lanes.ts';
import type { StoredFile } from '../jobs/index.ts';
import { carryOut, type Run, type RunOutcome, type RunOutput, type Workshop } from './carry-out.ts';
import type { Product, Work } from './work.ts';

/** How often an item is tried that does not succeed by our fault. */
const TRIES_MAX = 2;

/** What became of one item. */
interface Settled {
  readonly outcome: BatchOutcome;
  readonly price: bigint;
  readonly result: RunOutput | null;
}

/**
 * Carries out each item of a batch as a run of its own, as many at once as the pool lets. One that fails hinders no
 * other and costs nothing.
 */
export async function produceBatch(shop: Workshop, work: Work): Promise<Product> {
  const { items } = work.claim.params as BatchParams;
  const progress = progressOf(items.length, work.onProgress);
  const settled = await mapInLanes(items, shop.ctx.env.RUNNER_CONCURRENCY, async (item, position) => {
    // A runner that stops hands the whole batch back: what is not begun yet need not be.
    if (shop.signal.aborted) return null;
    const done = await settle(shop, work, item, { position, onProgress: progress(position) });
    progress(position)(1);
    return done;
  });
  return collect(settled);
}

interface Place {
  readonly position: number;
  readonly onProgress: (fraction: number) => void;
}

/** @returns null when the work was broken off */
async function settle(shop: Workshop, work: Work, item: BatchItem, place: Place): Promise<Settled | null> {
  if ('error' in item) return failed(item.error);
  const directory = join(work.directory, String(place.position));
  await mkdir(directory);
  try {
    const run = { ...runOf(work, item, place.position), directory, onProgress: place.onProgress };
    const end = await carryOutPatiently(shop, run);
    switch (end.next) {
      case 'complete': {
        const { engine, warnings, details } = end.result;
        const outcome = { ...details, status: 'success' as const, engine, warnings };
        return { outcome, price: BigInt(item.price), result: end.result };
      }
      case 'hand-back':
        return null;
      case 'retry':
        return failed(`processing_failed: ${end.reason}. Nothing was charged; try again later.`);
      default:
        return failed(end.message);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function failed(error: string): Settled {
  return { outcome: { status: 'failed', error }, price: 0n, result: null };
}

function runOf(
  { claim, operation }: Work,
  { params, facts, attachments }: Exclude<BatchItem, { error: string }>,
  position: number,
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

function collect(all: readonly (Settled | null)[]): Product {
  const settled = all.filter((each) => each !== null);
  if (settled.length < all.length) return { next: 'hand-back' };
  const results = settled.map(({ result }) => result);
  const fileOf = (result: RunOutput | null, position: number): (StoredFile & { position: number })[] =>
    (result?.files ?? []).slice(0, 1).map((file) => ({ ...file, position }));
  return {
    next: 'complete',
    result: {
      files: results.flatMap(fileOf),
      engine: [...new Set(results.flatMap((result) => result?.engine ?? []))].join(', '),
      warnings: [],
      details: { items: settled.map(({ outcome }) => outcome) },
      charge: settled.reduce((sum, { price }) => sum + price, 0n),
    },
  };
}

/** The mean of what each item tells. */
function progressOf(count: number, report: (fraction: number) => void) {
  const fractions = new Float64Array(count);
  return (position: number) => (fraction: number) => {
    fractions[position] = Math.max(fractions[position] ?? 0, fraction);
    report(fractions.reduce((sum, each) => sum + each, 0) / count);
  };
}
