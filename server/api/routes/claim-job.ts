import { z } from 'zod';
import { batchId } from '../../../models/core/operation/batch.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { awaitOwnEntry, LEASE_SECONDS, noteOwnWorker } from '../../base/queue/index.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { requeueOwnJob } from '../../jobs/index.ts';
import { claimOwnJob, formatClaimId, type OwnClaim, type OwnRun } from '../../jobs/self-hosted/index.ts';
import { CLAIMS_PATH } from '../claim-routes.ts';
import { describeBody, describeProblems, describeResponse, JSON_FAULTS } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';

/** Longest wait of a request for a job. */
const WAIT_SECONDS_MAX = 25;

/** Body with which a worker asks for a job. */
export const claimRequestSchema = z.strictObject({
  operations: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Operations that this machine runs, and their batches. Every one without.' }),
  worker: z
    .string()
    .min(1)
    .max(100)
    .default('worker')
    .meta({ description: 'Name of this machine, which the dashboard shows.', example: 'studio-2' }),
  wait_seconds: z
    .number()
    .min(0)
    .max(WAIT_SECONDS_MAX)
    .default(WAIT_SECONDS_MAX)
    .meta({ description: 'How long to wait for a job where none is due.' }),
});

const claimedFileSchema = z.object({
  path: z.string().meta({ description: 'Path below /api that sends the bytes.' }),
  media_type: z.string().meta({ description: 'Media type by its bytes.' }),
  bytes: z.int().meta({ description: 'Size of the file.' }),
  sha256: z.string().meta({ description: 'In hex.' }),
});

/** Job that a worker has taken. */
const claimSchema = z
  .object({
    claim_id: z.string().meta({ description: 'Names the claim in all further requests.' }),
    request_id: z.string().meta({ description: 'The job.' }),
    model_id: z.string().meta({ description: 'The operation, or its batches.' }),
    operation: z.string().meta({ description: 'Operation of each run.' }),
    attempt: z.int().min(1).meta({
      description: 'Attempts at the job so far, this one included, but for those that were given back.',
    }),
    lease_seconds: z
      .number()
      .meta({ description: 'Time without a report after which other workers may take the job.' }),
    runs: z
      .array(
        z.object({
          position: z.int().meta({ description: 'Position of the batch item, or 0.' }),
          params: z.looseObject({}).meta({ description: 'Checked params, defaults included.' }),
          input: claimedFileSchema.meta({ description: 'File that the run reads.' }),
          attachments: z
            .record(z.string(), claimedFileSchema)
            .meta({ description: 'Further files, by the param that names them.' }),
        }),
      )
      .meta({ description: 'The run of the job, or those of the batch items that are open.' }),
  })
  .meta({ id: 'Claim' });

/**
 * Hands a job that the account leaves to its own machines to one of them. It waits for one where none is due, and
 * responds 204 in the end.
 */
export const claimJob = defineRoute({
  method: 'POST',
  path: CLAIMS_PATH,
  permission: 'jobs.change',
  isForWorkers: true,
  docs: {
    operationId: 'claimJob',
    tag: 'workers',
    summary: 'Take a job for a machine of the account',
    description:
      'Hands out the job with `run_on: "own"` that has waited the longest. Report its progress before lease_seconds have passed, again and again, or other workers may take it.',
    requestBody: describeBody(claimRequestSchema),
    responses: {
      '200': describeResponse('A job of the account, with its runs.', claimSchema),
      '204': { description: 'No job was due in that time. Ask again.' },
      ...describeProblems(JSON_FAULTS),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Authorize: the service makes up the results of a test key.
    if (actor.isTest) {
      throw new OperationError('forbidden', 'Jobs of a test key run at the service alone. Use a live key.');
    }
    // 2. Parse.
    const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX));
    annotateBody(request, body);
    const { operations, worker, wait_seconds } = parseParams(claimRequestSchema, body);
    const modelIds = listModels(ctx, actor, operations);
    // A machine whose key allows none of its operations will never take a job.
    if (modelIds.length > 0) await noteOwnWorker(ctx.db, actor.accountId, worker);
    // 3. Claim a job, once one is due.
    const over = createTimeoutSignal(wait_seconds * 1000, request.signal, ctx.stopping);
    for (;;) {
      const claimed = await claimOwnJob(ctx, { accountId: actor.accountId, modelIds, worker });
      if (claimed && !request.signal.aborted) return respond(ctx, claimed, worker);
      // The client has left.
      if (claimed) await requeueOwnJob(ctx.db, claimed.claim);
      if (!(await awaitOwnEntry(ctx.db, actor.accountId, over))) return new Response(null, { status: 204 });
    }
  },
});

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
