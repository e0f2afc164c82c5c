import { OperationError } from '../../models/errors.ts';
import type { ModelId } from '../../models/registry.ts';
import type { Context } from '../context.ts';
import { assertReachableUrl } from '../fetching/index.ts';
import { type Submission, submitJob } from '../jobs/index.ts';
import { type Actor, authorise } from '../keys/index.ts';
import { type Accepted, acceptedAnswer, type Call } from './answer-once.ts';
import { bindToJob, type IdempotencyClaim, recordAnswer } from './idempotency.ts';
import type { StagedFiles } from './stage-request.ts';

/**
 * @throws OperationError `model_not_found` when the model is disabled, `forbidden` when the key was not made for it
 */
export function assertAllowed(ctx: Context, actor: Actor, modelId: ModelId): void {
  if (ctx.env.DISABLED_MODELS.includes(modelId)) {
    throw new OperationError('model_not_found', `Model '${modelId}' not found or disabled`);
  }
  authorise(actor, modelId);
}

interface NewJob extends Omit<Submission, 'actor' | 'files'> {
  readonly staged: StagedFiles;
  /** Whether the request waits for its end. */
  readonly waits: boolean;
}

/**
 * Makes a job of what was staged: hold, job, queue entry and what its request's key stands for are there together or not
 * at all, and then the staged files go, at once or with the other orphans.
 * @throws OperationError `insufficient_balance`, or `bad_request` when a file was taken by another request meanwhile
 */
export async function acceptJob(
  { ctx, actor }: Pick<Call, 'ctx' | 'actor'>,
  claim: IdempotencyClaim | undefined,
  { staged, waits, ...job }: NewJob,
): Promise<Accepted> {
  const { id, modelId } = job;
  const answer = acceptedAnswer(ctx, id);
  try {
    await submitJob(ctx, { ...job, actor, files: staged.files }, async (tx) => {
      await staged.take(tx);
      if (claim) await (waits ? bindToJob(tx, claim, id) : recordAnswer(tx, claim, answer));
    });
  } catch (thrown) {
    // Ours came before the commit. After any other there may be a job, since the commit's reply can be lost; if there is
    // none, the files are orphans and go as such.
    if (thrown instanceof OperationError) await staged.drop();
    throw thrown;
  }
  ctx.log.info({ requestId: id, operation: modelId, accountId: actor.accountId }, 'job accepted');
  return waits ? { answer, awaitedJobId: id } : { answer };
}

/**
 * Where the end of the job is to be told.
 * @throws OperationError `bad_request` when it may not be reached
 */
export async function webhookUrlOf(ctx: Context, request: Request): Promise<{ webhookUrl?: string }> {
  const webhookUrl = request.headers.get('x-webhook-url');
  if (webhookUrl === null) return {};
  try {
    await assertReachableUrl(webhookUrl, ctx.env.FETCH_ALLOW_NETWORKS);
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    throw new OperationError(thrown.code, `X-Webhook-URL: ${thrown.message}`, { cause: thrown });
  }
  return { webhookUrl };
}
