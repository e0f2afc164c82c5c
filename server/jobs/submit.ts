import type { MicroUsd } from '../../models/money.ts';
import type { Context } from '../context.ts';
import { schema, type Tx } from '../db.ts';
import { type Actor, reserveSpending } from '../keys/index.ts';
import { addJob } from '../queue.ts';
import { hold } from '../wallet/index.ts';
import { insertItems, type SettledItem } from './batch-items.ts';
import type { GivenFile } from './job-row.ts';
import { unfinishedExpiry } from './terms.ts';

export interface Submission {
  readonly id: string;
  readonly actor: Actor;
  readonly modelId: string;
  readonly params: object;
  readonly facts: object;
  /** What the job will cost if it completes; 0 holds nothing. */
  readonly price: MicroUsd;
  readonly files: readonly GivenFile[];
  /** Makes it a job of many runs, which waits in a queue of its own: the items that need no run. */
  readonly settled?: readonly SettledItem[];
  readonly webhookUrl?: string;
  /** Under which {@link findCached} finds the result. */
  readonly cacheKey?: Buffer;
}

/**
 * Accepts a job: job, input, queue entry, the key's spending and the wallet hold stand in one transaction, so that
 * either all of it is there or nothing. The wallet's row, which all jobs of an account share, is locked last and thus
 * shortest.
 * @param alsoInTx what else must stand or fall with the job; done first
 * @throws OperationError `insufficient_balance`
 */
export async function submitJob(
  ctx: Context,
  submission: Submission,
  alsoInTx?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id, actor, price, settled } = submission;
  await ctx.db.transaction(async (tx) => {
    await alsoInTx?.(tx);
    await insertJob(tx, submission);
    await Promise.all([
      insertFiles(tx, submission),
      insertItems(tx, id, settled ?? []),
      addJob(tx, settled ? 'run-batch' : 'run-job', { id }),
    ]);
    if (price > 0n) {
      await reserveSpending(tx, { keyId: actor.keyId, amount: price });
      await hold(tx, { accountId: actor.accountId, amount: price, reference: id });
    }
  });
}

async function insertJob(tx: Tx, { id, actor, modelId, ...job }: Submission): Promise<void> {
  await tx.insert(schema.jobs).values({
    id,
    accountId: actor.accountId,
    keyId: actor.keyId,
    operationId: modelId,
    params: { ...job.params },
    facts: { ...job.facts },
    held: job.price,
    webhookUrl: job.webhookUrl ?? null,
    cacheKey: job.cacheKey ?? null,
  });
}

async function insertFiles(tx: Tx, { id, files }: Submission): Promise<void> {
  if (files.length === 0) return;
  const expiresAt = unfinishedExpiry();
  await tx.insert(schema.files).values(files.map((file) => ({ ...file, jobId: id, expiresAt })));
}
