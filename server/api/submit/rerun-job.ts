import { and, eq } from 'drizzle-orm';
import { batchPath, findModel } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { ERROR_CODE_HEADER, type ErrorCode, OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { placeOperation } from '../../../models/core/operation/operation-price.ts';
import { operationFor } from '../../../models/test-mode/create-test-operation.ts';
import { isForcedAddress } from '../../../models/test-mode/forced-outcomes.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { deleteUpload, receiveUpload, UPLOAD_HOURS, uploadUrl } from '../../io/uploads/index.ts';
import { findJob } from '../../jobs/index.ts';
import { getProcessLimits } from '../transport/process-limits.ts';
import { acceptJob } from './accept-job.ts';
import { admitRequest, assertAllowed } from './admission.ts';
import type { BillableCall } from './billable-call.ts';
import { computeFingerprint, computeFormerFingerprint } from './fingerprint.ts';
import { recordFailure, reserveKey } from './idempotency.ts';
import type { IngestedSubmission } from './ingest-file.ts';
import { ingestSubmission } from './ingest-request.ts';
import { parseSubmission } from './parse-submission.ts';
import { respond } from './respond.ts';

type Job = NonNullable<Awaited<ReturnType<typeof findJob>>>;
type File = typeof schema.files.$inferSelect;

/** Offer to run an ended job again, or the sentence that says why it cannot be and what to do. */
export type RerunOffer = { readonly priceUsd: string } | { readonly refusal: string };

/** Price and input of a job that can run again. */
interface Rerun {
  readonly priceUsd: string;
  /** Field of the request that takes the input's URL. */
  readonly field: string;
  readonly input: File;
}

interface RerunRequest {
  readonly accountId: string;
  readonly id: string;
  /** Price that was shown. */
  readonly priceUsd: string;
  /** Key that a repeated press shares, so that it gets the job of the first. */
  readonly idempotencyKey: string;
}

/** Tells whether a job can run again with the same params and input, and for how much. */
export async function describeRerun(ctx: Context, job: Job): Promise<RerunOffer> {
  const rerun = await findRerun(ctx, job);
  return 'refusal' in rerun ? rerun : { priceUsd: rerun.priceUsd };
}

/**
 * Runs an ended job again: a new job of the same params, input and webhook, charged like any other.
 * @returns the id of the new job
 * @throws OperationError `not_found`; `conflict` when it cannot run again, costs another price by now, or its input has
 *   changed; and those of the request itself
 */
export async function rerunJob(
  ctx: Context,
  { id, priceUsd, idempotencyKey, accountId }: RerunRequest,
  actor: Actor,
): Promise<string> {
  const job = await findJob(ctx.db, { accountId, id });
  if (!job) throw new OperationError('not_found', `There is no job "${id}".`);
  const model = findModel(getOperations(ctx), job.operationId);
  if (!model) throw new OperationError('conflict', NOT_OFFERED);
  const operation = operationFor(actor, model.operation);
  const request = buildRerunRequest(ctx, operation, job, idempotencyKey);
  const call = { ctx, request, actor, operation, modelId: job.operationId };
  // 1. Authorize and admit, as for the POST of an operation.
  assertAllowed(call);
  await admitRequest({ ...call, operation: placeOperation(operation, job.runOn) });
  // 2. Reserve the key that a repeated press shares. The job's id stands for the body.
  const fingerprint = computeFingerprint(request, { again: job.id }, operation, new Map());
  const former = computeFormerFingerprint(request, JSON.stringify({ again: job.id }));
  const reserved = await reserveKey(ctx, actor, request, [fingerprint, former]);
  if ('earlier' in reserved) return readJobId(await respond(call, reserved));
  const fetched = getProcessLimits(ctx.env).fetched.acquire(accountId, 0);
  let copy: string | undefined;
  try {
    // 3. Restore the request, if it still costs what was shown.
    const rerun = await assertRerun(ctx, job, priceUsd);
    copy = await copyInput(ctx, accountId, rerun.input);
    const body = buildBody(call, job, rerun, copy);
    // 4. Parse, ingest and accept, as for the POST of an operation. Nothing waits for the job.
    const submission = { ...(await parseSubmission(call, body)), waits: false };
    const ingested = await ingestSubmission(submission, { fetched, digests: new Map() });
    await assertUnchanged(ingested, rerun.input);
    await acceptJob(submission, ingested, reserved);
    return submission.id;
  } catch (thrown) {
    await recordFailure(call, reserved, thrown);
    throw thrown;
  } finally {
    if (copy !== undefined) await deleteCopy(ctx, copy);
    reserved.endRenewal();
    fetched.release();
  }
}

/** Returns the id of the job that an earlier press has made. @throws OperationError that it has got */
async function readJobId(response: Response): Promise<string> {
  const body = (await response.json()) as { request_id?: string; message?: string };
  // A problem has a request_id as well: that of the HTTP request.
  if (response.ok && body.request_id !== undefined) return body.request_id;
  const code = (response.headers.get(ERROR_CODE_HEADER) ?? 'internal') as ErrorCode;
  throw new OperationError(code, body.message ?? 'The job could not be run again.');
}

/** Finds what a job takes to run again. @throws OperationError `conflict` when it cannot, or costs another price */
async function assertRerun(ctx: Context, job: Job, priceUsd: string): Promise<Rerun> {
  const rerun = await findRerun(ctx, job);
  if ('refusal' in rerun) throw new OperationError('conflict', rerun.refusal);
  if (rerun.priceUsd === priceUsd) return rerun;
  throw new OperationError('conflict', `The price is $${rerun.priceUsd} by now. Nothing was charged.`);
}

/** Builds the body of the request that makes such a job of the same input. */
function buildBody(
  { ctx, operation }: BillableCall,
  job: Job,
  { field, input }: Rerun,
  copy: string | undefined,
): object {
  const url = copy === undefined ? input.sourceUrl : uploadUrl(ctx.env.PUBLIC_URL, copy);
  if (url === null) throw new OperationError('conflict', describeMissingInput(operation));
  const { params, reference, metadata, runOn: run_on, resultTtlHours: hours } = job;
  const lifetime = hours !== null && { result_ttl_hours: Math.min(hours, ctx.env.RESULT_TTL_HOURS) };
  return { ...params, [field]: url, run_on, reference, metadata, ...lifetime };
}

/** @throws OperationError `conflict` when the file at the URL of a job is another one by now; it is deleted then */
async function assertUnchanged({ files, discard }: IngestedSubmission, { sha256 }: File): Promise<void> {
  if (files[0]?.sha256.equals(sha256)) return;
  await discard();
  throw new OperationError(
    'conflict',
    'The file at the URL of this job has changed since. Send it as a new request.',
  );
}

const NOT_OFFERED = 'This operation is no longer offered here.';

async function findRerun(ctx: Context, job: Job): Promise<Rerun | { refusal: string }> {
  if (!isTerminal(job.status)) return { refusal: 'The job has not ended yet.' };
  const { operation, isBatch } = findModel(getOperations(ctx), job.operationId) ?? {};
  if (!operation || ctx.env.DISABLED_MODELS.some((disabled) => disabled === job.operationId)) {
    return { refusal: NOT_OFFERED };
  }
  if (!job.isStored) {
    return {
      refusal: 'Its result went to your own bucket alone. Send the request again, with new output_urls.',
    };
  }
  if (isBatch) {
    return {
      refusal: `A batch can't run again from here. Send it again to POST /api${batchPath(operation)}.`,
    };
  }
  const { files } = schema;
  const isInput = and(eq(files.jobId, job.id), eq(files.role, 'input'));
  const [input] = await ctx.db.select().from(files).where(isInput);
  const field = input && urlField(operation, input);
  if (!input || field === undefined || (input.deletedAt !== null && input.sourceUrl === null)) {
    return { refusal: describeMissingInput(operation) };
  }
  try {
    return { field, input, priceUsd: formatUsd(getPrice(job, operation)) };
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    return { refusal: `Its params are not accepted any more: ${thrown.message}` };
  }
}

function getPrice(job: Job, operation: Operation): MicroUsd {
  const placed = placeOperation(operationFor(job, operation), job.runOn);
  return placed.price(job.facts as unknown as InputFacts, job.params);
}

function describeMissingInput({ path }: Operation): string {
  return `Its input was deleted. To run it again, send the file in the studio or to POST /api${path}.`;
}

/** Returns the field that takes a URL of such a file. */
function urlField({ inputs }: Operation, { mediaType }: File): string | undefined {
  const accepts = ([, { encoding, media }]: [string, Operation['inputs'][string]]) =>
    encoding === 'url' && media.some((kind) => mediaType.startsWith(`${kind}/`));
  return Object.entries(inputs).find(accepts)?.[0];
}

/**
 * Stores a copy of a job's input as an upload.
 * @returns its token; undefined when the input was deleted
 */
async function copyInput(ctx: Context, accountId: string, input: File): Promise<string | undefined> {
  // Nothing was fetched from an address that forces an outcome, and the address itself is what counts.
  const isForced = input.sourceUrl !== null && isForcedAddress(input.sourceUrl);
  if (input.deletedAt !== null || isForced) return undefined;
  const stored = await ctx.storage.get(input.key).catch((thrown) => {
    // The clean-up may delete it at any moment.
    if (thrown instanceof OperationError && thrown.code === 'not_found') return undefined;
    throw thrown;
  });
  if (!stored) return undefined;
  const copy = {
    accountId,
    keyId: null,
    // The new result is named after it as well.
    name: input.fileName ?? undefined,
    hours: UPLOAD_HOURS.min,
    declaredBytes: stored.bytes,
    body: stored.stream,
  };
  return (await receiveUpload(ctx, copy)).token;
}

/** Deletes a copy: the job has its own by now, and presses must not fill the account's room for uploads. */
async function deleteCopy(ctx: Context, token: string): Promise<void> {
  await deleteUpload(ctx, token).catch((err) => ctx.log.warn({ err }, 'a copied input is left to expire'));
}

/** Builds the request that stands for the press, without a body. */
function buildRerunRequest({ env }: Context, { path }: Operation, job: Job, idempotencyKey: string): Request {
  return new Request(`${env.PUBLIC_URL}/api${path}`, {
    method: 'POST',
    headers: {
      'idempotency-key': idempotencyKey,
      // An earlier result is what the press is not about.
      'cache-control': 'no-cache',
      ...(job.webhookUrl !== null && { 'x-webhook-url': job.webhookUrl }),
    },
  });
}
