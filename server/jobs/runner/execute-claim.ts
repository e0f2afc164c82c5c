import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import {
  type BatchItem,
  type BatchParams,
  failItem,
  findModel,
} from '../../../models/core/operation/batch.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Json } from '../../../models/core/operation/json.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { freeOfCharge, placeOperation } from '../../../models/core/operation/operation-price.ts';
import { nameResult } from '../../../models/core/operation/result-file.ts';
import { progressParts, type ReportProgress } from '../../../models/core/runtime/progress.ts';
import { operationFor } from '../../../models/test-mode/create-test-operation.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { retryOnOutage } from '../../base/retry-on-outage.ts';
import {
  type Claim,
  copyFiles,
  type DoneItem,
  forgetCachedResult,
  type JobResult,
  listSettledItems,
  repeatResult,
  reportProgress,
  settleItem,
  summarizeBatch,
} from '../index.ts';
import {
  type AttemptOutcome,
  describeServerFailure,
  type JobAttempt,
  type LaneReservation,
} from './job-attempt.ts';
import { type Run, type RunnerDeps, type RunOutcome, runInChild } from './run-in-child.ts';

/** Attempts at an item that fails by our fault. */
const TRIES_MAX = 2;

const PROGRESS_EVERY_MS = 1_000;

/**
 * Runs the claimed job, or repeats the earlier result that it was accepted with, and stores its files. Where that is
 * gone by now, the job runs, at its price of 0.
 * @param directory for this attempt alone
 * @param reserved slot and memory, where the caller has them
 */
export async function executeClaim(
  deps: RunnerDeps,
  claim: Claim,
  directory: string,
  reserved?: LaneReservation,
): Promise<AttemptOutcome> {
  const model = findModel(deps.operations, claim.operationId);
  if (!model) {
    const reason = `${claim.operationId} is not known to this runner`;
    return { next: 'retry', reason, code: 'model_not_found' };
  }
  if (claim.cachedResult) {
    const inputName = claim.files.find(({ role }) => role === 'input')?.fileName ?? null;
    const getName = (name: string) => nameResult(model.operation, inputName, name);
    const repeated = await repeatEarlierResult(deps.ctx, claim, claim.cachedResult, getName);
    if (repeated) return { next: 'complete', result: repeated };
    await forgetCachedResult(deps.ctx.db, claim);
  }
  const onProgress = progressWriter(deps.ctx, claim);
  const operation = operationFor(claim, model.operation);
  const work = { claim, operation, directory, onProgress, ...(reserved && { reserved }) };
  if (model.isBatch) return await executeBatch(deps, work);
  const outcome = await runSingle(deps, work);
  if (outcome.next !== 'complete' || !operation.isComposite) return outcome;
  return { ...outcome, result: chargeSteps(deps.ctx, claim, claim, outcome.result) };
}

async function runSingle(deps: RunnerDeps, { claim, ...work }: JobAttempt): Promise<AttemptOutcome> {
  const { id: jobId, accountId, params, facts, files } = claim;
  const input = files.find(({ role }) => role === 'input');
  if (!input) throw new Error('the job has no input');
  const attachments = files.filter(({ role }) => role === 'attachment');
  const attachmentKeys = Object.fromEntries(attachments.map(({ name, key }) => [name, key]));
  const lane = work.reserved?.lane ?? work.operation.laneFor(facts, params);
  return await runInChild(deps, {
    ...work,
    jobId,
    accountId,
    lane,
    params,
    facts,
    inputKey: input.key,
    sourceUrl: input.sourceUrl,
    inputName: input.fileName,
    attachmentKeys,
  });
}

/** Prices the parts of a composite run that have run with something in their results, at the prices of the service. */
function chargeSteps<Result extends Pick<JobResult, 'details'>>(
  ctx: Context,
  { operationId, isTest, runOn }: Pick<Claim, 'operationId' | 'isTest' | 'runOn'>,
  { facts, params }: { readonly facts: object; readonly params: unknown },
  result: Result,
): Result & { readonly charge: MicroUsd } {
  const offered = findModel(getOperations(ctx), operationId)?.operation;
  if (!offered) throw new Error(`${operationId} is not known to this runner`);
  const operation = placeOperation(isTest ? freeOfCharge(offered) : offered, runOn);
  const prices = operation.partPrices(facts, params);
  const steps = Object.entries({ ...(result.details?.steps as Record<string, Record<string, Json>>) }).map(
    ([id, details]) => {
      const price = details.is_empty === true ? 0n : (prices[id] ?? 0n);
      return { id, price, details: { ...details, charge: String(price) } };
    },
  );
  return {
    ...result,
    details: { ...result.details, steps: Object.fromEntries(steps.map(({ id, details }) => [id, details])) },
    charge: steps.reduce((sum, { price }) => sum + price, 0n),
  };
}

function progressWriter(ctx: Context, claim: Claim): ReportProgress {
  let writtenAtMs = performance.now();
  return ({ fraction }) => {
    if (performance.now() - writtenAtMs < PROGRESS_EVERY_MS) return;
    writtenAtMs = performance.now();
    reportProgress(ctx.db, claim, fraction).catch((err) => ctx.log.warn({ err }, 'progress was not noted'));
  };
}

/**
 * Copies an earlier result for a separate job, which delivers it to the client's bucket.
 * @param getName as for `copyFiles`
 * @returns undefined when it was deleted since the job was accepted
 */
async function repeatEarlierResult(
  ctx: Context,
  { id }: Pick<Claim, 'id'>,
  { outcome, fileKeys }: NonNullable<Claim['cachedResult']>,
  getName: (name: string) => string,
): Promise<JobResult | undefined> {
  const { files } = schema;
  const known = await ctx.db
    .select()
    .from(files)
    .where(inArray(files.key, [...fileKeys]));
  const live = fileKeys.flatMap((fileKey) => known.filter((file) => file.key === fileKey && !file.deletedAt));
  if (live.length < fileKeys.length) return undefined;
  try {
    return repeatResult(outcome, await copyFiles(ctx, id, live, getName));
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

/**
 * Runs each item of a batch that no earlier attempt has settled, as many at once as its account may. A failed item
 * hinders no other and costs nothing; each outcome is recorded as soon as it is known.
 */
async function executeBatch(deps: RunnerDeps, work: JobAttempt): Promise<AttemptOutcome> {
  const { db } = deps.ctx;
  const { items } = work.claim.params as BatchParams;
  const known = new Set((await listSettledItems(db, work.claim.id)).map(({ position }) => position));
  const left = items.filter(({ position }) => !known.has(position));
  const progress = progressParts(work.onProgress, items.length, items.length - left.length);
  const ends = await mapConcurrent(left, deps.lanes.accountBatchSlots, async (item, at) => {
    // A runner that stops requeues the whole batch: remaining items need not start.
    if (deps.signal.aborted) return 'aborted';
    const done = await runItem(deps, work, item, progress(at));
    if (!done) return 'aborted';
    await settle(deps, work, { ...done, duplicates: item.duplicates ?? [] });
    progress(at)({ fraction: 1 });
    return 'settled';
  });
  if (ends.includes('aborted')) return { next: 'requeue' };
  return { next: 'complete', result: await summarizeBatch(db, work.claim.id, items) };
}

/**
 * Runs one item.
 * @returns null when it was aborted
 */
async function runItem(
  deps: RunnerDeps,
  work: JobAttempt,
  item: BatchItem,
  onProgress: ReportProgress,
): Promise<DoneItem | null> {
  const { position } = item;
  const directory = join(work.directory, String(position));
  await mkdir(directory);
  try {
    const end = await runWithRetry(deps, { ...getRun(work, item), directory, onProgress });
    switch (end.next) {
      case 'complete': {
        const result = work.operation.isComposite
          ? chargeSteps(deps.ctx, work.claim, item, end.result)
          : end.result;
        const { engine, warnings, weights, details, files } = result;
        const charge = 'charge' in result ? { charge: String(result.charge) } : {};
        const outcome = { ...details, ...charge, status: 'success' as const, engine, warnings, weights };
        const cacheKey = item.cacheKey === undefined ? undefined : Buffer.from(item.cacheKey, 'hex');
        return { position, outcome, files, ...(cacheKey && { cacheKey }) };
      }
      case 'requeue':
        return null;
      case 'give-up':
      case 'retry':
        return failed(position, {
          ...end,
          message: `processing_failed: ${describeServerFailure(end.reason)}`,
        });
      default:
        return failed(position, end);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function failed(position: number, fault: Parameters<typeof failItem>[1]): DoneItem {
  return { position, outcome: failItem(position, fault), files: [] };
}

function getRun(
  { claim, operation }: JobAttempt,
  { position, params, facts, attachments }: BatchItem,
): Omit<Run, 'directory' | 'onProgress'> {
  const fileAt = (role: 'input' | 'attachment', at: number) => {
    const file = claim.files.find((given) => given.role === role && given.position === at);
    if (!file) throw new Error(`item ${position} lacks its ${role}`);
    return file;
  };
  const input = fileAt('input', position);
  const attachmentKeys = Object.entries(attachments).map(([name, at]) => [
    name,
    fileAt('attachment', at).key,
  ]);
  return {
    jobId: claim.id,
    accountId: claim.accountId,
    operation,
    lane: 'batch' as const,
    position,
    params,
    facts,
    inputKey: input.key,
    sourceUrl: input.sourceUrl,
    inputName: input.fileName,
    attachmentKeys: Object.fromEntries(attachmentKeys),
  };
}

async function runWithRetry(deps: RunnerDeps, run: Run): Promise<RunOutcome> {
  for (let tries = 1; ; tries++) {
    const end = await runInChild(deps, run);
    if (end.next !== 'retry' || tries >= TRIES_MAX) return end;
  }
}

async function settle({ ctx }: RunnerDeps, { claim }: JobAttempt, done: DoneItem): Promise<void> {
  if (await retryOnOutage(() => settleItem(ctx.db, claim, done))) return;
  await Promise.allSettled(done.files.map(({ key }) => ctx.storage.delete(key)));
  throw new Error('fenced by a later attempt');
}
