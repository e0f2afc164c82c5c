import type { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { Context } from '../../base/context/context.ts';
import { reportProgress, requeueOwnJob } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import {
  findInput,
  findOwnAttempt,
  holdLease,
  type OwnFailure,
  type OwnSuccess,
  settleOwnRun,
  storeOutput,
} from '../../jobs/self-hosted/index.ts';
import { LEASE_SECONDS } from '../../base/queue/index.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import {
  inputQuerySchema,
  outputQuerySchema,
  progressSchema,
  reportSchema,
} from '../openapi/worker-schemas.ts';
import { sendFile } from '../results/send-file.ts';
import { drainBody } from '../transport/drain-body.ts';
import { iterateBody } from '../transport/iterate-body.ts';
import { parseQuery } from '../transport/parse-query.ts';
import { jsonResponse } from '../transport/problem.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-json.ts';

/** Room for the findings of a run, which stay with its job and are read with whole lists of jobs. */
const REPORT_BYTES_MAX = 64_000;
/** SHA-256 as RFC 9530 writes it. */
const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z\d+/]{43}=):/;

/** Handles POST /v2/worker/claims/<id>/progress: prolongs the lease, and tells whether the job is still wanted. */
export async function keepClaim(
  ctx: Context,
  request: Request,
  actor: Actor,
  claimId: string,
): Promise<Response> {
  const own = await findOwnAttempt(ctx, actor, claimId);
  const { progress } = parseParams(
    progressSchema,
    parseJsonObject(await readBody(request, FIELDS_BYTES_MAX)),
  );
  await holdLease(ctx, own);
  await reportProgress(ctx.db, own, progress);
  return jsonResponse(200, { lease_seconds: LEASE_SECONDS });
}

/** Handles GET /v2/worker/claims/<id>/files: sends a file of the request. */
export async function sendInput(
  ctx: Context,
  request: Request,
  actor: Actor,
  claimId: string,
): Promise<Response> {
  const own = await findOwnAttempt(ctx, actor, claimId);
  const { key, bytes, sha256, mediaType } = await findInput(
    ctx,
    own,
    parseParams(inputQuerySchema, parseQuery(request)),
  );
  return await sendFile(ctx, request, {
    bytes,
    sha256: sha256.toString('hex'),
    headers: new Headers({ 'content-type': mediaType, 'cache-control': 'no-store' }),
    open: async (range) => (await ctx.storage.get(key, range)).stream,
  });
}

/** Handles POST /v2/worker/claims/<id>/files: stores a file of the result. */
export async function receiveOutput(
  ctx: Context,
  request: Request,
  actor: Actor,
  claimId: string,
): Promise<Response> {
  const reader = (request.body ?? new Blob([]).stream()).getReader();
  const room = getProcessLimits(ctx.env).fetched.acquire(actor.accountId, 0);
  try {
    const own = await findOwnAttempt(ctx, actor, claimId);
    const { position: item, file, name } = parseParams(outputQuerySchema, parseQuery(request));
    const stored = await storeOutput(ctx, own, {
      place: { item, file },
      name,
      mediaType: request.headers.get('content-type') ?? '',
      sha256: readDigest(request),
      body: iterateBody(request, reader),
      signal: request.signal,
      count: room.grow,
    });
    return jsonResponse(201, { name, bytes: stored.bytes, sha256: stored.sha256.toString('hex') });
  } catch (thrown) {
    void drainBody(reader);
    throw thrown;
  } finally {
    room.release();
  }
}

/** Returns the SHA-256 that a request states of its body. @throws OperationError `bad_request` without one */
function readDigest({ headers }: Request): Buffer {
  const [, digest] = DIGEST.exec(headers.get('content-digest') ?? '') ?? [];
  if (digest !== undefined) return Buffer.from(digest, 'base64');
  throw fieldError('Content-Digest', 'must be the SHA-256 of the body: sha-256=:<base64>:');
}

/** Handles POST /v2/worker/claims/<id>/report: settles a run, and with the last one the job. */
export async function settleClaim(
  ctx: Context,
  request: Request,
  actor: Actor,
  claimId: string,
): Promise<Response> {
  const own = await findOwnAttempt(ctx, actor, claimId);
  const report = parseParams(reportSchema, parseJsonObject(await readBody(request, REPORT_BYTES_MAX)));
  const status = await settleOwnRun(ctx, own, report.position, readReport(report));
  return jsonResponse(200, { status });
}

function readReport(report: z.output<typeof reportSchema>): OwnSuccess | OwnFailure {
  if (report.outcome !== 'completed') return report;
  const { processing_ms: processingMs, ...success } = report;
  // What came as JSON is JSON, and the kinds of warnings of a newer worker are words like others.
  return { ...success, processingMs } as OwnSuccess;
}

/** Handles DELETE /v2/worker/claims/<id>: gives the job back, for others to take. The attempt does not count. */
export async function returnClaim(
  ctx: Context,
  _request: Request,
  actor: Actor,
  claimId: string,
): Promise<Response> {
  await requeueOwnJob(ctx.db, await findOwnAttempt(ctx, actor, claimId));
  return new Response(null, { status: 204 });
}
