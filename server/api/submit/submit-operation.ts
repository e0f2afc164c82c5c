import { recordFailures } from '../../jobs/index.ts';
import { getProcessLimits } from '../transport/process-limits.ts';
import { parseJsonObject } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';
import { type Accepted, acceptJob } from './accept-job.ts';
import { type Admission, admitRequest, assertAllowed, receiveBody } from './admission.ts';
import type { BillableCall } from './billable-call.ts';
import { computeFingerprint, computeFormerFingerprint, findDigests, hasUnknownFiles } from './fingerprint.ts';
import { type EarlierOutcome, NO_KEY, type ReservedKey, recordFailure, reserveKey } from './idempotency.ts';
import type { IngestedSubmission } from './ingest-file.ts';
import { ingestSubmission } from './ingest-request.ts';
import { type ParsedSubmission, parseSubmission } from './parse-submission.ts';
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
    const body = parseJsonObject(text);
    annotateBody(request, body);
    const digests = new Map<string, Buffer>();
    const ingest = (submission: ParsedSubmission) =>
      ingestSubmission(submission, { fetched: room.fetched, digests });
    // 4. Reserve the idempotency key.
    const reserved = await reserveSubmission(call, { text, body, digests, ingest });
    if ('earlier' in reserved) return reserved;
    try {
      // 5. Parse.
      const submission = await parseSubmission(call, body);
      // 6. Ingest the files, and price what is to run.
      const ingested = await ingest(submission);
      // 7. Accept the job, in one transaction.
      return await acceptJob(submission, ingested, withContent(call, reserved, body, digests));
    } catch (thrown) {
      await recordFailure(call, reserved, thrown);
      throw thrown;
    }
  } finally {
    room.release();
  }
}

interface Reserving {
  readonly text: string;
  readonly body: object;
  /** Receives the digests of the files. */
  readonly digests: Map<string, Buffer>;
  ingest(submission: ParsedSubmission): Promise<IngestedSubmission>;
}

/**
 * Reserves the Idempotency-Key of a request. Where its files may be those of the first request at other URLs, they are
 * fetched to learn their bytes, which counts as a failure of the account.
 */
async function reserveSubmission(
  call: BillableCall,
  { text, body, digests, ingest }: Reserving,
): ReturnType<typeof reserveKey> {
  const { ctx, request, actor, operation } = call;
  if (!request.headers.has('idempotency-key')) return NO_KEY;
  for (const [value, digest] of await findDigests(call, body)) digests.set(value, digest);
  const compute = () => computeFingerprint(request, body, operation, digests);
  const fetchFingerprint = async () => {
    const { discard } = await ingest(await parseSubmission(call, body));
    await Promise.all([discard(), recordFailures(ctx, actor.accountId, 1)]);
    return compute();
  };
  const fingerprints = [compute(), computeFormerFingerprint(request, text)] as const;
  const fetching = hasUnknownFiles(body, digests) ? fetchFingerprint : undefined;
  return await reserveKey(ctx, actor, request, fingerprints, fetching);
}

/** Adds to a key what it is bound to by the bytes of all files. */
function withContent(
  { request, operation }: BillableCall,
  { reservation, ...key }: ReservedKey,
  body: object,
  digests: ReadonlyMap<string, Buffer>,
): ReservedKey {
  if (!reservation) return { ...key, reservation };
  const contentFingerprint = computeFingerprint(request, body, operation, digests);
  return { ...key, reservation: { ...reservation, contentFingerprint } };
}
