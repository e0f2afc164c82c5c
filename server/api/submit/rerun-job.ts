import { and, eq } from 'drizzle-orm';
import { batchPath, findModel } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { ERROR_CODE_HEADER, type ErrorCode, OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { placeOperation } from '../../../models/core/operation/place-operation.ts';
import { isForcedAddress } from '../../../models/test-mode/forced-outcomes.ts';
import { operationFor } from '../../../models/test-mode/operation-for.ts';
import { schema } from '../../base/database/db.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { findJob } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { deleteUpload, receiveUpload, uploadUrl } from '../../io/uploads/index.ts';
import { FIELDS_BYTES_MAX } from '../transport/read-json.ts';
import { assertAllowed } from './accept-job.ts';
import { admitRequest } from './admission.ts';
import { respondIdempotently } from './respond-idempotently.ts';
import { acceptRequest } from './submit-operation.ts';

type Job = NonNullable<Awaited<ReturnType<typeof findJob>>>;
type File = typeof schema.files.$inferSelect;

/** Offer to run an ended job again, or the sentence that says why it cannot be and what to do. */
export type RerunOffer = { readonly priceUsd: string } | { readonly refusal: string };

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
  const found = await findRerun(ctx, job);
  return 'refusal' in found ? found : { priceUsd: found.priceUsd };
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
  const found = findModel(getOperations(ctx), job.operationId);
  if (!found) throw new OperationError('conflict', NOT_OFFERED);
  const operation = operationFor(actor, found.operation);
  assertAllowed(ctx, actor, job.operationId);
  const request = buildRerunRequest(ctx, operation, job, idempotencyKey);
  const call = { ctx, request, actor, operation };
  const placed = placeOperation(operation, job.runOn);
  const admission = await admitRequest({ ...call, operation: placed }, FIELDS_BYTES_MAX);
  const response = await respondIdempotently(call, admission, async (begun) => {
    const found = await findRerun(ctx, job);
    if ('refusal' in found) throw new OperationError('conflict', found.refusal);
    if (found.priceUsd !== priceUsd) {
      throw new OperationError('conflict', `The price is $${found.priceUsd} by now. Nothing was charged.`);
    }
    const { field, input } = found;
    const copy = await copyInput(ctx, accountId, input);
    try {
      const url = copy === undefined ? input.sourceUrl : uploadUrl(ctx.env.PUBLIC_URL, copy);
      if (url === null) throw new OperationError('conflict', describeMissingInput(operation));
      const { reference, metadata, runOn: run_on } = job;
      const body = { ...job.params, [field]: url, run_on, reference, metadata };
      return await acceptRequest(call, { ...begun, body }, { sha256: input.sha256 });
    } catch (thrown) {
      if (copy !== undefined) await deleteCopy(ctx, copy);
      throw thrown;
    }
  });
  const answer = (await response.json()) as { request_id?: string; message?: string };
  // A problem has a request_id as well: that of the HTTP request.
  if (response.ok && answer.request_id !== undefined) return answer.request_id;
  const code = (response.headers.get(ERROR_CODE_HEADER) ?? 'internal') as ErrorCode;
  throw new OperationError(code, answer.message ?? 'The job could not be run again.');
}

const NOT_OFFERED = 'This operation is no longer offered here.';

async function findRerun(
  ctx: Context,
  job: Job,
): Promise<{ priceUsd: string; field: string; input: File } | { refusal: string }> {
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
    return {
      field,
      input,
      priceUsd: formatUsd(priceOf(job, operation)),
    };
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    return { refusal: `Its params are not accepted any more: ${thrown.message}` };
  }
}

function priceOf(job: Job, operation: Operation): MicroUsd {
  const placed = placeOperation(operationFor(job, operation), job.runOn);
  return placed.price(job.facts as unknown as InputFacts, job.params);
}

function describeMissingInput({ path }: Operation): string {
  return `Its input was deleted when the job ended. To run it again, send the file once more, in the studio or to POST /api${path}.`;
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
  const copy = { accountId, declaredBytes: stored.bytes, body: stored.stream };
  return (await receiveUpload(ctx, copy)).token;
}

/** Deletes a copy that no job has used, so that refused presses do not fill the account's room for uploads. */
async function deleteCopy(ctx: Context, token: string): Promise<void> {
  await deleteUpload(ctx, token).catch((err) => ctx.log.warn({ err }, 'a copied input is left to expire'));
}

/** Builds the request that stands for the press: its body names the job, so that a repeated press is the same. */
function buildRerunRequest({ env }: Context, { path }: Operation, job: Job, idempotencyKey: string): Request {
  return new Request(`${env.PUBLIC_URL}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      // An earlier result is what the press is not about.
      'cache-control': 'no-cache',
      ...(job.webhookUrl !== null && { 'x-webhook-url': job.webhookUrl }),
    },
    body: JSON.stringify({ again: job.id }),
  });
}
