import { isRequestError } from '../../../models/core/operation/errors.ts';
import type { OperationRequest } from '../../../models/core/operation/request.ts';
import type { Context } from '../../base/context.ts';
import { inSpan, SPAN } from '../../base/tracer.ts';
import { RetryWindow } from '../../io/fetching/index.ts';
import { recordFailures, repeatResult } from '../../jobs/index.ts';
import { ownUploads } from '../upload-view.ts';
import type { BillableCall } from './billable-call.ts';
import { ingestBatch } from './ingest-batch.ts';
import {
  attachmentField,
  discardFiles,
  type FileFindings,
  type FileOwner,
  type IngestedFile,
  type IngestedSubmission,
  ingestAttachment,
  ingestInput,
  inputField,
} from './ingest-file.ts';
import type { ParsedSubmission } from './parse-submission.ts';
import {
  computeCacheKey,
  describeCachedResult,
  discardCopies,
  findCachedRequest,
  reuseResult,
} from './reuse-result.ts';

/** Shortest remaining lifetime of a cached result. */
const MINUTES_LEFT_MIN = 10;

/**
 * Ingests the files of a request: fetches or receives, checks and stores them, and prices what is to run.
 * @param use.fetched room of the account for the files that are fetched
 * @param use.digests receives those of the files that URLs name
 * @throws OperationError of the request's faults, naming the field; nothing is left behind then
 */
export async function ingestSubmission(
  { call, id, content, targets }: ParsedSubmission,
  use: Pick<FileOwner, 'fetched' | 'digests'>,
): Promise<IngestedSubmission> {
  const { accountId } = call.actor;
  const owner = {
    ...{ id, accountId, uploads: ownUploads(call.actor), ...use },
    ...{ retries: new RetryWindow(), signal: call.request.signal },
  };
  const goesToBucket = (targets?.urls.length ?? 0) > 0;
  const ingest = (ctx: Context) =>
    'request' in content
      ? ingestRequest({ ...call, ctx }, content.request, { ...owner, goesToBucket })
      : ingestBatch({ ...call, ctx }, content.items, owner);
  return await inSpan(call.ctx, SPAN.ingest, ingest);
}

async function ingestRequest(
  call: BillableCall,
  request: OperationRequest,
  { goesToBucket, ...owner }: FileOwner & { readonly goesToBucket: boolean },
): Promise<IngestedSubmission> {
  const { ctx, operation } = call;
  const { params } = request;
  const ingested: IngestedFile[] = [];
  const discard = () => discardFiles(ctx, ingested);
  try {
    const { facts, price } = await ingestFiles(call, request, owner, ingested);
    const [input, ...attachments] = ingested;
    const files = [...(input ? [inputField(0, input)] : []), ...attachments.map(attachmentField)];
    const cacheKey = await computeCacheKey(call, params, files);
    const cached = await findCachedRequest(call, cacheKey, MINUTES_LEFT_MIN);
    const lane = operation.laneFor(facts, params);
    const job = { discard, files, params, facts, lane };
    if (cached && goesToBucket) return { ...job, price: 0n, cachedResult: describeCachedResult(cached) };
    const reused = cached && (await reuseResult(call, owner.id, cached, input?.file));
    if (!reused) return { ...job, price, ...(cacheKey && { cacheKey }) };
    return {
      ...job,
      price: 0n,
      cachedResult: describeCachedResult(cached),
      result: repeatResult(reused.outcome, reused.files),
      async discard() {
        await Promise.all([discard(), discardCopies(ctx, reused.files)]);
      },
    };
  } catch (thrown) {
    await discard();
    throw thrown;
  }
}

/**
 * Ingests input and attachments. A request that is refused for them counts as a failure of its account: it costs
 * nothing, but may have been fetched and probed.
 * @param ingested receives each file
 */
async function ingestFiles(
  { ctx, operation, actor }: BillableCall,
  request: OperationRequest,
  owner: FileOwner,
  ingested: IngestedFile[],
): Promise<FileFindings> {
  try {
    const input = await ingestInput(ctx, operation, request, owner);
    ingested.push(input.ingested);
    for (const attachment of operation.attachments(request.params)) {
      ingested.push(await ingestAttachment(ctx, operation, attachment, owner));
    }
    return input;
  } catch (thrown) {
    if (isRequestError(thrown)) await recordFailures(ctx, actor.accountId, 1);
    throw thrown;
  }
}
