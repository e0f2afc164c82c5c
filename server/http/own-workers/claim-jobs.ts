import { setTimeout as wait } from 'node:timers/promises';
import { batchId } from '../../../models/operation/batch.ts';
import { fieldError, OperationError } from '../../../models/operation/errors.ts';
import { parseParams } from '../../../models/operation/params.ts';
import { type Context, getOperations } from '../../context.ts';
import type { Actor } from '../../keys/index.ts';
import {
  claimOwnJob,
  formatClaimId,
  type OwnClaim,
  type OwnRun,
  returnOwnJob,
} from '../../own-workers/index.ts';
import { LEASE_SECONDS, noteOwnWorker } from '../../queue/index.ts';
import { claimRequestSchema } from '../openapi/worker-schemas.ts';
import { annotateBody } from '../request-log/annotate-request.ts';
import { jsonResponse } from '../transport/problem.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-json.ts';

/** Pause between two looks at the queue, each of which costs one short query. */
const LOOK_EVERY_MS = 1_000;

/** Path of the claims of an account's own workers. */
export const CLAIMS_PATH = '/v2/worker/claims';

/**
 * Handles POST /v2/worker/claims: hands a job that the account leaves to its own machines to one of them. It waits for
 * one where none is due, and responds 204 in the end.
 * @throws OperationError `forbidden` for a test key, whose results the service makes up
 */
export async function claimJobs(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  if (actor.isTest) {
    throw new OperationError('forbidden', 'Jobs of a test key run at the service alone. Use a live key.');
  }
  const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX));
  annotateBody(request, body);
  const { operations, worker, wait_seconds } = parseParams(claimRequestSchema, body);
  const modelIds = listModels(ctx, actor, operations);
  // A machine whose key allows none of its operations will never take a job.
  if (modelIds.length > 0) await noteOwnWorker(ctx.db, actor.accountId);
  const endMs = performance.now() + wait_seconds * 1000;
  const isOver = () => request.signal.aborted || ctx.stopping?.aborted === true;
  for (;;) {
    const claimed = await claimOwnJob(ctx, { accountId: actor.accountId, modelIds, worker });
    if (claimed && !request.signal.aborted) return respond(ctx, claimed, worker);
    // Nobody would hear of it.
    if (claimed) await returnOwnJob(ctx, claimed.claim);
    const leftMs = endMs - performance.now();
    if (leftMs <= 0 || isOver()) return new Response(null, { status: 204 });
    await wait(Math.min(LOOK_EVERY_MS, leftMs), undefined, { signal: request.signal }).catch(() => {});
  }
}

/** Lists the models of the jobs that a worker takes. @throws OperationError `bad_request` for an unknown operation */
function listModels(ctx: Context, actor: Actor, asked: readonly string[] | undefined): string[] {
  const operations = getOperations(ctx);
  const known = Object.keys(operations);
  const unknown = asked?.find((id) => !known.includes(id));
  if (unknown !== undefined) throw fieldError('operations', `must be some of ${known.join(', ')}.`);
  const models = (asked ?? known).flatMap((id) => (operations[id]?.batch ? [id, batchId(id)] : [id]));
  const allowed: readonly string[] | null = actor.operations;
  return allowed ? models.filter((id) => allowed.includes(id)) : models;
}

function respond(ctx: Context, { claim, operationId, runs }: OwnClaim, worker: string): Response {
  const claim_id = formatClaimId(claim);
  ctx.log.info({ requestId: claim.id, attempt: claim.attempt, worker }, 'a job was taken by its account');
  const base = `${CLAIMS_PATH}/${claim_id}/files`;
  return jsonResponse(200, {
    claim_id,
    request_id: claim.id,
    model_id: claim.operationId,
    operation: operationId,
    attempt: claim.countedAttempt,
    lease_seconds: LEASE_SECONDS,
    runs: runs.map(({ position, params, input, attachments }) => ({
      position,
      params,
      input: describeFile(base, input),
      attachments: Object.fromEntries(
        Object.entries(attachments).map(([name, file]) => [name, describeFile(base, file)]),
      ),
    })),
  });
}

function describeFile(base: string, { role, position, mediaType, bytes, sha256 }: OwnRun['input']) {
  const path = `${base}?role=${role}&position=${position}`;
  return { path, media_type: mediaType, bytes, sha256: sha256.toString('hex') };
}
