import { findEngineLicence } from '../../../models/device/own-engines.ts';
import { type BatchParams, findModel } from '../../../models/operation/batch.ts';
import { type DirectResponse, responseBody } from '../../../models/operation/direct-response.ts';
import { type ErrorCode, isErrorCode } from '../../../models/operation/errors.ts';
import { isTerminal } from '../../../models/operation/job.ts';
import { type JobFindings, type JobView, jobFindingsSchema } from '../../../models/operation/job-view.ts';
import type { Json } from '../../../models/operation/json.ts';
import { formatUsd, type MicroUsd } from '../../../models/operation/money.ts';
import { messagesOf } from '../../../models/runtime/run-warnings.ts';
import { type Context, getOperations, type Operations } from '../../context.ts';
import { resultUrl, resultUrlConfig } from '../../storage/index.ts';
import type { FileRow, JobRow } from './job-row.ts';
import type { Output as JobOutput } from './list-outputs.ts';

type Output = NonNullable<JobView['output']>;
type Item = NonNullable<Output['items']>[number];

/** Builds the download URL of a result file. */
export type BuildUrl = (file: FileRow) => string;

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
  const urlOf = await createUrlBuilder(ctx);
  const operations = getOperations(ctx);
  return (job, outputs) => jobView(operations, job, outputs, urlOf);
}

function jobView(
  operations: Operations,
  job: JobRow,
  outputs: readonly JobOutput[],
  urlOf: BuildUrl,
  now = new Date(),
): JobView {
  const isLive = ({ deletedAt, expiresAt }: FileRow) => deletedAt === null && expiresAt > now;
  const urls = outputs.map(({ file }) => (file && isLive(file) ? urlOf(file) : null));
  const live = urls.filter((url) => url !== null);
  // Items of a batch that repeat another one share its file.
  const media_url = [...new Set(live)];
  const files = outputs.flatMap(({ file }) => file ?? []);
  const results = buildResults(operations, job, outputs, urls);
  const warnings = messagesOf(job.warnings);
  return {
    request_id: job.id,
    status: job.status,
    model_id: job.operationId,
    error: job.error,
    output:
      job.status === 'COMPLETED'
        ? { media_url, media_type: findMediaType(files, results), ...results }
        : null,
    ...readFindings(operations, job),
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    completed_at: job.completedAt?.toISOString() ?? null,
    progress: job.progress,
    billing: {
      held_usd: formatUsd(isTerminal(job.status) ? 0n : job.held),
      charged_usd: formatUsd(job.charged),
    },
    warnings: live.length < files.length ? [...warnings, EXPIRED] : [...warnings],
    engine: job.engine,
    engine_licence: findEngineLicence(findModel(operations, job.operationId)?.operation, job.engine),
    code: findErrorCode(job),
    field: job.errorField,
    reference: job.reference,
    metadata: { ...job.metadata },
  };
}

/** Returns the findings that the operation's jobs show, null before the end. */
function readFindings(operations: Operations, { operationId, status, details }: JobRow): JobFindings {
  const { operation, isBatch } = findModel(operations, operationId) ?? {};
  if (!operation?.jobFindings || isBatch) return {};
  const found = status === 'COMPLETED' ? { ...details } : {};
  const known = jobFindingsSchema.safeParse(found).data ?? {};
  return Object.fromEntries(operation.jobFindings.map((name) => [name, known[name] ?? null]));
}

/** Returns the code of a failed end; jobs of earlier versions have none of their own. */
function findErrorCode({ status, errorCode }: JobRow): ErrorCode | null {
  if (status !== 'FAILED' && status !== 'ERROR') return null;
  if (isErrorCode(errorCode)) return errorCode;
  return status === 'FAILED' ? 'unprocessable' : 'internal';
}

/** Returns one media type for all of a job's files. */
function findMediaType(files: readonly FileRow[], { result }: Partial<Output>): string {
  const [type, ...others] = new Set(files.map(({ mediaType }) => mediaType));
  if (type === undefined) return result ? 'application/json' : '';
  return others.length === 0 ? type : 'multipart/mixed';
}

/**
 * Renders the results as the operation's own response type, where it has one.
 * @param urls of the outputs; null where there is none, or none any more
 */
function buildResults(
  operations: Operations,
  job: JobRow,
  outputs: readonly JobOutput[],
  urls: readonly (string | null)[],
): Partial<Output> {
  const { operation, isBatch } = findModel(operations, job.operationId) ?? {};
  const response = operation?.response;
  if (!response || job.status !== 'COMPLETED') return {};
  if (isBatch) {
    const priceOf = itemPrices(job);
    return {
      items: outputs.map((output, at) =>
        buildItem(response, output, {
          request_id: job.id,
          url: urls[at] ?? null,
          charged: priceOf(output.position),
          licenceOf: (engine) => findEngineLicence(operation, engine),
        }),
      ),
    };
  }
  const live = urls.filter((url) => url !== null);
  return live.length < urls.length ? {} : { result: buildResult(response, job.details, live, job.charged) };
}

/**
 * Builds the operation's response to a successful run.
 * @param details findings of the run, as stored with its job or batch item
 * @param urls of its files
 */
export function buildResult(
  response: DirectResponse,
  details: object | null,
  urls: readonly string[],
  charged: MicroUsd,
): Record<string, unknown> {
  const known = { ...details } as Record<string, Json>;
  const processingMs = Number(known.processing_ms ?? 0);
  return responseBody(response, { details: known, urls, processingMs, charged });
}

function itemPrices({ params }: JobRow): (position: number) => MicroUsd {
  const { items = [] } = params as Partial<BatchParams>;
  const prices = new Map(items.map(({ position, price }) => [position, BigInt(price)]));
  return (position) => prices.get(position) ?? 0n;
}

interface ItemFacts {
  readonly request_id: string;
  readonly url: string | null;
  readonly charged: MicroUsd;
  /** Names the licences of an engine. */
  licenceOf(engine: unknown): string | null;
}

function buildItem(
  response: DirectResponse,
  { outcome, file }: JobOutput,
  { request_id, url, charged, licenceOf }: ItemFacts,
): Item {
  if (!outcome || (file && !url)) return { status: 'failed', error: EXPIRED, code: 'gone', request_id };
  if (outcome.status === 'failed') return { ...outcome, code: outcome.code ?? 'unprocessable', request_id };
  const { engine, warnings, cached = false, duplicate_of } = outcome;
  const result = buildResult(response, outcome, url ? [url] : [], charged);
  return {
    status: 'success',
    ...result,
    engine,
    engine_licence: licenceOf(engine),
    warnings: messagesOf(warnings),
    cached,
    ...(duplicate_of !== undefined && { duplicate_of }),
  };
}
