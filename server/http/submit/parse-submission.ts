import { parseBatch } from '../../../models/operation/batch.ts';
import { isDirectOnly } from '../../../models/operation/direct-response.ts';
import { fieldError, OperationError } from '../../../models/operation/errors.ts';
import { createRequestId } from '../../../models/operation/job/job.ts';
import type { JobLabels } from '../../../models/operation/job/job-labels.ts';
import { placeOperation } from '../../../models/operation/place-operation.ts';
import {
  type OperationRequest,
  type OutputTargets,
  parseRequest,
} from '../../../models/operation/request.ts';
import type { RunPlace } from '../../../models/operation/run-place.ts';
import { addressRules, assertReachableUrl } from '../../fetching/index.ts';
import { assertFailureBudget } from '../../jobs/index.ts';
import { assertEngines } from '../engines/assert-engines.ts';
import { readPreferences } from '../transport/read-preferences.ts';
import type { BillableCall } from './billable-call.ts';

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
  /** Whether the request waits for the job to end. */
  readonly waits: boolean;
}

/**
 * Checks a request's body and the addresses that are to receive the result.
 * @throws OperationError `bad_request`, `too_many_requests` of an account with too many failures, and those of
 *   `assertEngines`
 */
export async function parseSubmission(call: BillableCall, body: object): Promise<ParsedSubmission> {
  await assertFailureBudget(call.ctx, call.actor.accountId);
  return call.modelId === call.operation.id ? await parseSingle(call, body) : await parseItems(call, body);
}

async function parseSingle(caller: BillableCall, body: object): Promise<ParsedSubmission> {
  const { labels, targets, place: asked, ...request } = parseRequest(caller.operation, body);
  const { call, place } = placeCall(caller, asked);
  const { ctx, operation, modelId } = call;
  await assertEngines(ctx, operation, request.params);
  const isDirect = isDirectOnly(operation);
  const webhook = isDirect ? {} : await readWebhookUrl(call);
  await assertReachableTargets(call, targets.urls);
  // A client may ask for the polling URL at once: Prefer: respond-async (RFC 7240, section 4.1).
  const mayWait = isDirect || !readPreferences(call.request).has('respond-async');
  const waits = mayWait && operation.waits(request.params);
  const id = createRequestId(modelId, Date.now());
  return { call, id, content: { request }, place, labels, targets, waits, ...webhook };
}

async function parseItems(caller: BillableCall, body: object): Promise<ParsedSubmission> {
  const { items, labels, place: asked } = parseBatch(caller.operation, body);
  const { call, place } = placeCall(caller, asked);
  const webhook = await readWebhookUrl(call);
  const id = createRequestId(call.modelId, Date.now());
  return { call, id, content: { items }, place, labels, waits: false, ...webhook };
}

function placeCall(call: BillableCall, asked: RunPlace) {
  const { actor, operation } = call;
  // The made-up results of test keys come from the service alone.
  const place = actor.isTest ? 'service' : asked;
  return { place, call: { ...call, operation: placeOperation(operation, place) } };
}

/**
 * Returns the webhook URL of a request.
 * @throws OperationError `bad_request` when it may not be reached
 */
async function readWebhookUrl(call: BillableCall): Promise<{ webhookUrl?: string }> {
  const webhookUrl = call.request.headers.get('x-webhook-url');
  if (webhookUrl === null) return {};
  await assertReachable(call, 'X-Webhook-URL', webhookUrl);
  return { webhookUrl };
}

/**
 * Checks the URLs that are to receive a result.
 * @throws OperationError `bad_request` naming one that may not be reached
 */
async function assertReachableTargets(call: BillableCall, urls: readonly string[]): Promise<void> {
  for (const [at, url] of urls.entries()) await assertReachable(call, `output_urls[${at}]`, url);
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
