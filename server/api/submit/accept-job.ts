import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { isRefusedByServer } from '../../base/database/db.ts';
import { deleteEndedFiles, submitJob } from '../../jobs/index.ts';
import { isDirectCall } from './billable-call.ts';
import { bindToJob, type RecordedResponse, type ReservedKey, recordResponse } from './idempotency.ts';
import type { IngestedSubmission } from './ingest-file.ts';
import type { ParsedSubmission } from './parse-submission.ts';

/** Outcome of a valid request. From here on its idempotency key represents it. */
export interface Accepted {
  readonly response: RecordedResponse;
  /** Job whose end gives the better response, if it comes in time. */
  readonly awaitedJobId?: string;
  readonly key: ReservedKey;
}

/** Builds the response to a request whose job is running. */
export function buildAcceptedResponse({ env }: Context, id: string): RecordedResponse {
  const pollingUrl = `${env.PUBLIC_URL}/api/v2/requests/status/${id}`;
  return { status: 202, body: { request_id: id, status: 'QUEUED', polling_url: pollingUrl } };
}

/**
 * Creates a job from ingested files: hold, job, queue entry and idempotency record are written together or not at all;
 * then the ingested files are deleted, immediately or with the other orphans. A job with a cached result completes in
 * the same transaction, unless that goes to a bucket first.
 * @throws OperationError `insufficient_balance`
 */
export async function acceptJob(
  submission: ParsedSubmission,
  { discard, ...job }: IngestedSubmission,
  key: ReservedKey,
): Promise<Accepted> {
  const { call, content: _, ...parsed } = submission;
  const { ctx, actor, modelId } = call;
  const { reservation } = key;
  const { id } = parsed;
  // Its result is there already, whatever the request prefers.
  const waits = parsed.waits || job.result !== undefined;
  const response = buildAcceptedResponse(ctx, id);
  const secondsMax = waits && isDirectCall(call) ? ctx.env.SYNC_TIMEOUT_SECONDS : undefined;
  const written = {
    ...parsed,
    ...job,
    actor,
    modelId,
    ...(secondsMax !== undefined && { secondsMax }),
  };
  try {
    await submitJob(ctx, written, async (tx) => {
      if (reservation)
        await (waits ? bindToJob(tx, reservation, id) : recordResponse(tx, reservation, response));
    });
  } catch (thrown) {
    // Our own errors and the database's came before the commit. After any other there may be a job, since the commit's
    // reply can be lost; if there is none, the files are orphans and are deleted as such.
    if (thrown instanceof OperationError || isRefusedByServer(thrown)) await discard();
    throw thrown;
  }
  ctx.log.info({ requestId: id, operation: modelId, accountId: actor.accountId }, 'job accepted');
  if (job.result) await deleteEndedFiles(ctx, id);
  return { response, key, ...(waits && { awaitedJobId: id }) };
}
