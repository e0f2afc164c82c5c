import { getProcessLimits } from '../limits/process-limits.ts';
import { parseJsonObject } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';
import { type Accepted, acceptJob } from './accept-job.ts';
import { type Admission, admitRequest, assertAllowed, receiveBody } from './admission.ts';
import type { BillableCall } from './billable-call.ts';
import { type EarlierOutcome, recordFailure, reserveKey } from './idempotency.ts';
import { ingestSubmission } from './ingest-request.ts';
import { parseSubmission } from './parse-submission.ts';
import { respond } from './respond.ts';

/**
 * Handles the POST of an operation or of a batch, once per Idempotency-Key: a job exists once hold, job and queue entry
 * are written in one transaction.
 * @throws OperationError of the request's faults, `insufficient_balance`, those of `assertEngines`
 */
export async function submitOperation(call: BillableCall): Promise<Response> {
  // 1. Authorize: the service offers the model, and the key may use it.
  assertAllowed(call);
  // 2. Admit: the account can pay for the cheapest such request, and may store more.
  const admission = await admitRequest(call);
  // 3. to 7. Accept. The bytes of the body are gone after it: a request that waits for its job holds none of them.
  const accepted = await acceptSubmission(call, admission);
  // 8. Respond: with the job, with its outcome where the request waits for it, or as to the first such request.
  return await respond(call, accepted);
}

/** Makes a job of a request, or finds its earlier outcome. Its bytes, and those it has fetched, count until then. */
async function acceptSubmission(
  call: BillableCall,
  admission: Admission,
): Promise<Accepted | { readonly earlier: EarlierOutcome }> {
  const { ctx, request, actor } = call;
  const room = getProcessLimits(ctx.env).acquireRequest(actor.accountId, request, admission.bodyBytesMax);
  try {
    // 3. Receive the body.
    const text = await receiveBody(request, admission, room.body);
    // 4. Reserve the idempotency key.
    const reserved = await reserveKey(ctx, actor.accountId, request, text);
    if ('earlier' in reserved) return reserved;
    try {
      // 5. Parse.
      const body = parseJsonObject(text);
      annotateBody(request, body);
      const submission = await parseSubmission(call, body);
      // 6. Ingest the files, and price what is to run.
      const ingested = await ingestSubmission(submission, room.fetched);
      // 7. Accept the job, in one transaction.
      return await acceptJob(submission, ingested, reserved);
    } catch (thrown) {
      await recordFailure(call, reserved, thrown);
      throw thrown;
    }
  } finally {
    room.release();
  }
}
