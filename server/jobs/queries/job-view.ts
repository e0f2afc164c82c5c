import {
  type BatchItem,
  type BatchParams,
  findModel,
  isCharged,
  priceOfOutcome,
} from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import {
  type DirectResponse,
  isDirectOnly,
  responseBody,
} from '../../../models/core/operation/direct-response.ts';
import { type ErrorCode, isErrorCode } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView, OutputDelivery } from '../../../models/core/operation/job-view.ts';
import type { Json } from '../../../models/core/operation/json.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import type { ResultFile } from '../../../models/core/operation/result-file.ts';
import { findEngineLicence } from '../../../models/core/runtime/fit.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { type Context, getOperations, type Operations } from '../../base/context.ts';
import { resultUrl, resultUrlConfig } from '../../io/storage/index.ts';
import type { FileRow, JobRow } from './job-row.ts';
import type { Output as JobOutput } from './list-outputs.ts';

type Output = NonNullable<JobView['output']>;
type Item = NonNullable<Output['items']>[number];

/** Builds the download URL of a result file. */
export type BuildUrl = (file: FileRow) => string;

const DELETED = 'The files of the result were deleted by request.';
const EXPIRED = 'The result has expired and was deleted. Run the job again to get a new one.';

/**
 * Renders a job for its owner: the body of the status resource and of the webhook.
 * @param outputs in order
 */
export type RenderJob = (job: JobRow, outputs: readonly JobOutput[]) => JobView;

export async function createUrlBuilder(ctx: Context): Promise<BuildUrl> {
  const config = await resultUrlConfig(ctx);
  return (file) => resultUrl(config, file);
}

/** Returns the job renderer of this process. */
export async function createJobRenderer(ctx: Context): Promise<RenderJob> {
  const getUrl = await createUrlBuilder(ctx);
  const operations = getOperations(ctx);
  return (job, outputs) => jobView(operations, job, outputs, getUrl);
}

function jobView(
  operations: Operations,
  job: JobRow,
  outputs: readonly JobOutput[],
  getUrl: BuildUrl,
): JobView {
  const now = new Date();
  const isLive = ({ deletedAt, expiresAt }: FileRow) => deletedAt === null && expiresAt > now;
  const deliveries = showDeliveries(job);
  const urlOfLive = (file: FileRow) => {
    if (job.deletedAt) return null;
    if (!job.isStored) return deliveries[file.position]?.url ?? null;
    return isLive(file) ? getUrl(file) : null;
  };
  const files = outputs.flatMap((output) => output.files);
  const live = listFiles(files, urlOfLive);
  // Items of a batch that repeat another one share its files.
  const shown = [...new Map(live.map((file) => [file.url, file])).values()];
  const media_url = shown.map(({ url }) => url);
  const results = buildResults(operations, job, outputs, urlOfLive);
  const warnings = getMessages(job.warnings);
  return {
    request_id: job.id,
    status: job.status,
    model_id: job.operationId,
    test: job.isTest,
    error: job.error,
    output:
      job.status === 'COMPLETED'
        ? { media_url, media_type: findMediaType(files, results), files: shown, ...results }
        : null,
    ...readMembers(operations, job),
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    completed_at: job.completedAt?.toISOString() ?? null,
    deleted_at: job.deletedAt?.toISOString() ?? null,
    progress: job.progress,
    billing: {
      held_usd: formatUsd(isTerminal(job.status) ? 0n : job.held),
      charged_usd: formatUsd(job.charged),
    },
    warnings: live.length < files.length ? [...warnings, job.deletedAt ? DELETED : EXPIRED] : [...warnings],
    engine: job.engine,
    engine_licence: findEngineLicence(findModel(operations, job.operationId)?.operation, job.engine),
    code: findErrorCode(job),
    field: job.errorField,
    output_delivery: deliveries,
    receipt: job.receipt,
    run_on: job.runOn,
    cached: job.cachedResult !== null,
    reference: job.reference,
    metadata: { ...job.metadata },
  };
}

/** Returns the members that the operation adds to its jobs, null before the end. */
function readMembers(operations: Operations, { operationId, status, details, params }: JobRow): object {
  const { operation, isBatch } = findModel(operations, operationId) ?? {};
  if (!operation || isBatch) return {};
  if (operation.isComposite) return { steps: (params as { steps?: readonly object[] }).steps ?? [] };
  return pickMembers(operation, status === 'COMPLETED' ? details : {});
}

/** Returns those of a run's details that the operation's jobs show. */
function pickMembers({ jobMembers }: Operation, details: object | null): object {
  const known = jobMembers?.safeParse({ ...details }).data ?? {};
  return Object.fromEntries(Object.keys(jobMembers?.shape ?? {}).map((name) => [name, known[name] ?? null]));
}

/** Returns the code of a failed end; jobs of earlier versions have none of their own. */
function findErrorCode({ status, errorCode }: JobRow): ErrorCode | null {
  if (status !== 'FAILED' && status !== 'ERROR') return null;
  if (isErrorCode(errorCode)) return errorCode;
  return status === 'FAILED' ? 'unprocessable' : 'internal';
}

/** Lists the files that are still there. @param getUrl returns null for a file that is gone */
function listFiles(files: readonly FileRow[], getUrl: (file: FileRow) => string | null): ResultFile[] {
  return files.flatMap((file) => {
    const url = getUrl(file);
    if (url === null) return [];
    const { fileName, name, mediaType, bytes, sha256, facts } = file;
    const sha256Hex = sha256.toString('hex');
    return { url, name: fileName ?? name, media_type: mediaType, bytes, sha256: sha256Hex, ...facts };
  });
}

/** Returns one media type for all of a job's files. */
function findMediaType(files: readonly FileRow[], { result, steps, items = [] }: Partial<Output>): string {
  const [type, ...others] = new Set(files.map(({ mediaType }) => mediaType));
  if (type !== undefined) return others.length === 0 ? type : 'multipart/mixed';
  return result || steps || items.some(({ status }) => status === 'success') ? 'application/json' : '';
}

/**
 * Renders the results as the operation's own response type, where it has one, and those of a batch by item.
 * @param getUrl returns null for a file that is gone
 */
function buildResults(
  operations: Operations,
  job: JobRow,
  outputs: readonly JobOutput[],
  getUrl: (file: FileRow) => string | null,
): Partial<Output> {
  const { operation, isBatch } = findModel(operations, job.operationId) ?? {};
  if (!operation || job.status !== 'COMPLETED' || job.deletedAt) return {};
  if (isBatch) return { items: outputs.map((output) => buildItem(operation, job, output, getUrl)) };
  if (operation.isComposite) {
    const files = outputs.flatMap((output) => output.files);
    return buildSteps(operation, { params: job.params, details: job.details, files }, getUrl);
  }
  const { response } = operation;
  const urls = outputs.flatMap(({ files }) => files.map(getUrl));
  const live = urls.filter((url) => url !== null);
  if (!response || live.length < urls.length) return {};
  return {
    result: buildResult(response, job.details, live, job.charged),
    ...(job.cachedResult && { cached: true }),
  };
}

/**
 * Builds the operation's response to a successful run.
 * @param details findings of the run, as stored with its job or batch item
 * @param urls of its files
 */
function buildResult(
  response: DirectResponse,
  details: object | null,
  urls: readonly string[],
  charged: MicroUsd,
): Record<string, unknown> {
  const known = { ...details } as Record<string, Json>;
  const processingMs = Number(known.processing_ms ?? 0);
  return responseBody(response, { details: known, urls, processingMs, charged });
}

/** Composite run that has completed. */
interface CompositeRun {
  readonly params: unknown;
  /** Findings of the run, as stored. */
  readonly details: object | null;
  readonly files: readonly FileRow[];
}

/** Builds the results of the parts that have run, each as its operation's own. */
function buildSteps(
  operation: Operation,
  { params, details, files }: CompositeRun,
  getUrl: (file: FileRow) => string | null,
): Pick<Output, 'steps' | 'stopped_by'> {
  const { steps = {}, stopped_by } = { ...details } as Partial<StoredSteps>;
  const built = listParts(operation, params).flatMap(({ id, operation: part }) => {
    const found = Object.hasOwn(steps, id) ? steps[id] : undefined;
    return found ? [[id, buildStep(part, found, files, getUrl)] as const] : [];
  });
  return { steps: Object.fromEntries(built), ...(stopped_by !== undefined && { stopped_by }) };
}

interface StoredSteps {
  readonly steps: Readonly<Record<string, StoredStep>>;
  readonly stopped_by: string;
}

/** Findings of a part, with the names of its files within the job. */
interface StoredStep {
  readonly files: readonly string[];
  readonly engine: string;
  readonly warnings: readonly string[];
  readonly charge?: string;
}

/** Lists the parts of a job. One of another version may have params that are no longer known. */
function listParts(operation: Operation, params: unknown): ReturnType<Operation['parts']> {
  try {
    return operation.parts(params);
  } catch {
    return [];
  }
}

function buildStep(
  part: Operation,
  found: StoredStep,
  files: readonly FileRow[],
  getUrl: (file: FileRow) => string | null,
): Record<string, unknown> {
  const own = files.filter(({ name }) => found.files.includes(name));
  const live = listFiles(own, getUrl);
  const urls = live.map(({ url }) => url);
  const charged = BigInt(found.charge ?? 0);
  const { response } = part;
  const result = response
    ? buildResult(response, found, urls, charged)
    : { media_url: urls, media_type: findMediaType(own, {}), ...pickMembers(part, found) };
  if (isDirectOnly(part)) return result;
  const { engine, warnings } = found;
  const common = { engine, engine_licence: findEngineLicence(part, engine), warnings, cached: false };
  // A step that failed has ended the job: the status of those that are here says nothing.
  const { status: _, ...members } = result as Record<string, unknown>;
  return { ...members, files: live, ...common, charged_usd: formatUsd(charged) };
}

/** Returns the price of a batch's item. One that repeats another has the result of that one, its price included. */
function priceOfItem({ params }: JobRow, position: number): MicroUsd {
  return BigInt(findItem({ params }, position)?.price ?? 0);
}

function findItem({ params }: Pick<JobRow, 'params'>, position: number): BatchItem | undefined {
  const { items = [] } = params as Partial<BatchParams>;
  return items.find((item) => item.position === position);
}

function buildItem(
  operation: Operation,
  job: JobRow,
  { position, outcome, files }: JobOutput,
  getUrl: (file: FileRow) => string | null,
): Item {
  const live = listFiles(files, getUrl);
  const { duplicate_of } = outcome ?? {};
  const charged_usd = formatUsd(
    outcome && isCharged(outcome) ? priceOfOutcome(outcome, String(priceOfItem(job, position))) : 0n,
  );
  const failed = { status: 'failed', request_id: job.id } as const;
  if (outcome?.status === 'failed') {
    return { ...outcome, ...failed, charged_usd: '0', code: outcome.code ?? 'unprocessable' };
  }
  if (!outcome || live.length < files.length) return { ...failed, charged_usd, error: EXPIRED, code: 'gone' };
  const { engine, warnings, cached = false } = outcome;
  const price = priceOfItem(job, Number(duplicate_of ?? position));
  const urls = live.map(({ url }) => url);
  const { response } = operation;
  const result = response
    ? buildResult(response, outcome, urls, price)
    : { media_url: urls, media_type: findMediaType(files, {}), ...pickMembers(operation, outcome) };
  const ofItem = findItem(job, Number(duplicate_of ?? position));
  return {
    ...result,
    ...(operation.isComposite &&
      buildSteps(operation, { params: ofItem?.params, details: outcome, files }, getUrl)),
    status: 'success',
    files: live,
    engine,
    engine_licence: findEngineLicence(operation, engine),
    warnings: [...getMessages(warnings)],
    cached: cached === true,
    charged_usd,
    ...(typeof duplicate_of === 'number' && { duplicate_of }),
  };
}

/** Returns a URL without the parts that may hold a signature. */
export function withoutSignature(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

/** Returns the deliveries to the client's bucket. An ended job has none that is still to come. */
function showDeliveries({ status, outputDeliveries }: JobRow): OutputDelivery[] {
  const hasEnded = isTerminal(status);
  return outputDeliveries.map((delivery) => {
    const isFinal = hasEnded && delivery.status === 'pending';
    return {
      url: withoutSignature(delivery.url),
      status: isFinal ? 'failed' : delivery.status,
      attempts: delivery.attempts,
      http_status: delivery.httpStatus,
      error: isFinal ? (delivery.error ?? 'The job ended without a result to deliver.') : delivery.error,
    };
  });
}
