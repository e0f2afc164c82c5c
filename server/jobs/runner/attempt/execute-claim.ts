import { findModel } from '../../../../models/core/operation/batch.ts';
import type { ReportProgress } from '../../../../models/core/runtime/progress.ts';
import { operationFor } from '../../../../models/test-mode/operation-for.ts';
import type { Context } from '../../../base/context/context.ts';
import { type Claim, reportProgress } from '../../index.ts';
import { executeBatch } from './execute-batch.ts';
import type { AttemptOutcome, JobAttempt, LaneReservation } from './job-attempt.ts';
import { repeatResult } from './repeat-result.ts';
import { type RunnerDeps, runInChild } from './run-in-child.ts';

const PROGRESS_EVERY_MS = 1_000;

/**
 * Runs the claimed job, or repeats the earlier result that it asks for, and stores its files.
 * @param directory for this attempt alone
 * @param reserved slot and memory, where the caller has them
 */
export async function executeClaim(
  deps: RunnerDeps,
  claim: Claim,
  directory: string,
  reserved?: LaneReservation,
): Promise<AttemptOutcome> {
  if (claim.cachedResult) return await repeatResult(deps.ctx, claim, claim.cachedResult, directory);
  const model = findModel(deps.operations, claim.operationId);
  if (!model) {
    const reason = `${claim.operationId} is not known to this runner`;
    return { next: 'retry', reason, code: 'model_not_found' };
  }
  const onProgress = progressWriter(deps.ctx, claim);
  const operation = operationFor(claim, model.operation);
  const work = { claim, operation, directory, onProgress, ...(reserved && { reserved }) };
  return await (model.isBatch ? executeBatch(deps, work) : runSingle(deps, work));
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
    attachmentKeys,
  });
}

function progressWriter(ctx: Context, claim: Claim): ReportProgress {
  let writtenAtMs = Date.now();
  return ({ fraction }) => {
    if (Date.now() - writtenAtMs < PROGRESS_EVERY_MS) return;
    writtenAtMs = Date.now();
    reportProgress(ctx.db, claim, fraction).catch((err) => ctx.log.warn({ err }, 'progress was not noted'));
  };
}
