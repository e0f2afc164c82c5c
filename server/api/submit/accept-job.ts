import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { RunPlace } from '../../../models/core/operation/run-place.ts';
import { isRefusedByServer } from '../../base/database/db.ts';
import type { Context } from '../../base/context/context.ts';
import { addressRules, assertReachableUrl } from '../../io/fetching/index.ts';
import { type Submission, submitJob } from '../../jobs/index.ts';
import { type Actor, assertPermission } from '../../identity/keys/index.ts';
import { bindToJob, type IdempotencyClaim, recordResponse } from './idempotency.ts';
import { type Accepted, acceptedResponse, type BillableCall } from './respond-idempotently.ts';
import type { StagedFiles } from './stage-request.ts';

/**
 * Checks that a model is enabled and the key may use it.
 * @throws OperationError `model_not_found` when the model is disabled, `forbidden` when the key lacks the operation
 */
export function assertAllowed(ctx: Context, actor: Actor, modelId: string): void {
  if (ctx.env.DISABLED_MODELS.some((disabled) => disabled === modelId)) {
    throw new OperationError('model_not_found', `Model '${modelId}' not found or disabled`, {
      field: 'model',
    });
  }
  assertPermission(actor, modelId);
}

/** Returns where a job runs: the made-up results of test keys come from the service alone. */
export function choosePlace({ isTest }: Pick<Actor, 'isTest'>, asked: RunPlace): RunPlace {
  return isTest ? 'service' : asked;
}

interface NewJob extends Omit<Submission, 'actor' | 'files'> {
  readonly staged: StagedFiles;
  /** Whether the request waits for the job to end. */
  readonly waits: boolean;
}

/**
 * Creates a job from staged files: hold, job, queue entry and idempotency record are written together or not at all;
 * then the staged files are deleted, immediately or with the other orphans.
 * @throws OperationError `insufficient_balance`, or `bad_request` when another request used a file meanwhile
 */
export async function acceptJob(
  { ctx, actor }: Pick<BillableCall, 'ctx' | 'actor'>,
  claim: IdempotencyClaim | undefined,
  { staged, waits, ...job }: NewJob,
): Promise<Accepted> {
  const { id, modelId } = job;
  const answer = acceptedResponse(ctx, id);
  try {
    await submitJob(ctx, { ...job, actor, files: staged.files }, async (tx) => {
      await staged.claim(tx);
      if (claim) await (waits ? bindToJob(tx, claim, id) : recordResponse(tx, claim, answer));
    });
  } catch (thrown) {
    // Our own errors and the database's came before the commit. After any other there may be a job, since the commit's
    // reply can be lost; if there is none, the files are orphans and are deleted as such.
    if (thrown instanceof OperationError || isRefusedByServer(thrown)) await staged.discard();
    throw thrown;
  }
  ctx.log.info({ requestId: id, operation: modelId, accountId: actor.accountId }, 'job accepted');
  return waits ? { answer, awaitedJobId: id } : { answer };
}

/**
 * Checks the URLs that are to receive a result.
 * @throws OperationError `bad_request` naming one that may not be reached
 */
export async function assertReachableTargets(call: AddressedCall, urls: readonly string[]): Promise<void> {
  for (const [at, url] of urls.entries()) await assertReachable(call, `output_urls[${at}]`, url);
}

/**
 * Returns the webhook URL of a request.
 * @throws OperationError `bad_request` when it may not be reached
 */
export async function readWebhookUrl(call: AddressedCall): Promise<{ webhookUrl?: string }> {
  const webhookUrl = call.request.headers.get('x-webhook-url');
  if (webhookUrl === null) return {};
  await assertReachable(call, 'X-Webhook-URL', webhookUrl);
  return { webhookUrl };
}

type AddressedCall = Pick<BillableCall, 'ctx' | 'request' | 'actor'>;

/** @throws OperationError naming the field of a URL that may not be reached */
async function assertReachable(
  { ctx, request, actor }: AddressedCall,
  field: string,
  url: string,
): Promise<void> {
  try {
    const owner = { owner: actor.accountId, signal: request.signal };
    await assertReachableUrl(url, { ...addressRules(ctx.env), ...owner });
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    throw fieldError(field, thrown.message, { code: thrown.code, cause: thrown });
  }
}
