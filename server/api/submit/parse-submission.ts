import { parseBatch } from '../../../models/core/operation/batch.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { createRequestId } from '../../../models/core/operation/job.ts';
import type { JobLabels } from '../../../models/core/operation/job-labels.ts';
import { placeOperation } from '../../../models/core/operation/operation-price.ts';
import {
  type OperationRequest,
  type OutputTargets,
  parseRequest,
} from '../../../models/core/operation/request.ts';
import type { RunPlace } from '../../../models/core/operation/run-place.ts';
import { hasOwnWorker } from '../../base/queue/index.ts';
import { addressRules, assertReachableUrl } from '../../io/fetching/index.ts';
import { assertFailureBudget } from '../../jobs/index.ts';
import { readHeader, readPreferences, readWaitSeconds } from '../transport/read-request.ts';
import { assertPartsAllowed } from './admission.ts';
import { assertEngines } from './assert-engines.ts';
import { type BillableCall, isDirectCall } from './billable-call.ts';
import { resolvePresets } from './resolve-presets.ts';

/** Valid request for a job, whose files are to be ingested. */
export interface ParsedSubmission {
  /** The call, with the operation as it is at the place of the run. */
  readonly call: BillableCall;
  /** Id of the future job. */
  readonly id: string;
  readonly content: { readonly request: OperationRequest } | { readonly items: readonly unknown[] };
  readonly place: RunPlace;
  readonly labels: JobLabels;
  readonly webhookUrl?: string;
  readonly targets?: OutputTargets;
  readonly resultTtlHours: number | undefined;
  /** Whether the request waits for the job to end. */
  readonly waits: boolean;
}

/**
 * Checks a request's body and the addresses that are to receive the result.
 * @throws OperationError `bad_request`, `too_many_requests` of an account with too many failures, and those of
 *   `assertEngines`
 */
export async function parseSubmission(caller: BillableCall, body: object): Promise<ParsedSubmission> {
  const { ctx, request, actor, modelId } = caller;
  await assertFailureBudget(ctx, actor.accountId);
  const isBatch = modelId !== caller.operation.id;
  const resolved = await resolvePresets(caller, body);
  const parsed = isBatch ? parseBatch(caller.operation, resolved) : parseRequest(caller.operation, resolved);
  // The made-up results of test keys come from the service alone.
  const place = actor.isTest ? 'service' : parsed.place;
  const operation = placeOperation(caller.operation, place);
  const call = { ...caller, operation };
  assertTokenMay(call, parsed.place);
  if ('params' in parsed) {
    assertPartsAllowed(call, parsed.params);
    await assertEngines(ctx, operation, parsed.params);
  }
  const { resultTtlHours, labels } = parsed;
  assertLifetime(call, resultTtlHours);
  if (place === 'own' && isDirectCall(call)) await assertWorker(call);
  const isDirect = isDirectCall(call);
  const webhook = isDirect ? {} : await readWebhookUrl(call);
  const urls = 'targets' in parsed ? parsed.targets.urls : [];
  for (const [at, url] of urls.entries()) await assertReachable(call, `output_urls[${at}]`, url);
  const id = createRequestId(modelId, Date.now());
  const common = { call, id, place, labels, resultTtlHours, ...webhook };
  // A client may ask for the polling URL at once, or to wait for the job: RFC 7240, sections 4.1 and 4.3.
  const mayWait = isDirect || !readPreferences(request).has('respond-async');
  const prefersWait = readWaitSeconds(request) > 0;
  if (!('params' in parsed)) {
    return { ...common, content: { items: parsed.items }, waits: mayWait && prefersWait };
  }
  const waits = mayWait && (prefersWait || operation.waits(parsed.params));
  return { ...common, content: { request: parsed }, targets: parsed.targets, waits };
}

/** @throws OperationError `bad_request` for a lifetime longer than that of every result */
function assertLifetime({ ctx }: BillableCall, hours = 1): void {
  const { RESULT_TTL_HOURS: most } = ctx.env;
  if (hours > most)
    throw fieldError('result_ttl_hours', `must be at most ${most}, as long as results are kept.`);
}

/** @throws OperationError `forbidden` for what no token may ask for */
function assertTokenMay({ actor, request }: BillableCall, place: RunPlace): void {
  if (actor.tokenId === undefined) return;
  const field = request.headers.has('x-webhook-url')
    ? 'X-Webhook-URL'
    : place === 'own'
      ? 'run_on'
      : undefined;
  if (field) throw fieldError(field, 'needs an API key. A token may not use it.', { code: 'forbidden' });
}

/**
 * Checks that a worker of the account is there for a job whose request cannot wait long for one.
 * @throws OperationError `unavailable`
 */
async function assertWorker({ ctx, actor: { accountId } }: BillableCall): Promise<void> {
  if (await hasOwnWorker(ctx.db, accountId)) return;
  const problem =
    'no worker of this account is there to run it. Start "darkroom worker", or leave the field out.';
  throw fieldError('run_on', problem, { code: 'unavailable' });
}

/**
 * Returns the webhook URL of a request.
 * @throws OperationError `bad_request` when it may not be reached
 */
async function readWebhookUrl(call: BillableCall): Promise<{ webhookUrl?: string }> {
  const webhookUrl = readHeader(call.request, 'X-Webhook-URL');
  if (webhookUrl === null) return {};
  await assertReachable(call, 'X-Webhook-URL', webhookUrl);
  return { webhookUrl: /^[!-~]+$/.test(webhookUrl) ? webhookUrl : new URL(webhookUrl).href };
}

/** @throws OperationError naming the field of a URL that may not be reached */
async function assertReachable(
  { ctx, request, actor }: BillableCall,
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
