import type { z } from 'zod';
import { findModel } from '../../models/batch.ts';
import { isTerminal } from '../../models/job.ts';
import type { JobView } from '../../models/job-view.ts';
import { formatUsd } from '../../models/money.ts';
import { OPERATIONS } from '../../models/registry.ts';
import type { Context } from '../context.ts';
import { resultUrl, resultUrlConfig } from '../storage/index.ts';
import type { FileRow, JobRow } from './job-row.ts';
import type { Output as JobOutput } from './outputs.ts';

type Output = NonNullable<JobView['output']>;
type Item = NonNullable<Output['items']>[number];

/** Where a result file is downloaded. */
export type UrlOf = (file: FileRow) => string;

const EXPIRED = 'The result has expired and was deleted. Run the job again to get a new one.';

export async function resultUrls(ctx: Context): Promise<UrlOf> {
  const config = await resultUrlConfig(ctx);
  return (file) => resultUrl(config, file);
}

/**
 * A job as its owner sees it: the answer of the status resource and the body of the webhook.
 * @param outputs in order; none while it has no result
 */
export function jobView(job: JobRow, outputs: readonly JobOutput[], urlOf: UrlOf, now = new Date()): JobView {
  const isLive = ({ deletedAt, expiresAt }: FileRow) => deletedAt === null && expiresAt > now;
  const urls = outputs.map(({ file }) => (file && isLive(file) ? urlOf(file) : null));
  const media_url = urls.filter((url) => url !== null);
  const files = outputs.flatMap(({ file }) => file ?? []);
  return {
    request_id: job.id,
    status: job.status,
    model_id: job.operationId,
    error: job.error,
    output:
      job.status === 'COMPLETED'
        ? {
            media_url,
            media_type: files[0]?.mediaType ?? '',
            ...resultsOf(job, outputs, urls),
          }
        : null,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    completed_at: job.completedAt?.toISOString() ?? null,
    progress: job.progress,
    billing: {
      held_usd: formatUsd(isTerminal(job.status) ? 0n : job.held),
      charged_usd: formatUsd(job.charged),
    },
    warnings: media_url.length < files.length ? [...job.warnings, EXPIRED] : job.warnings,
    engine: job.engine,
  };
}

/** In the words of the operation's own result, where it has one. @param urls of the outputs; null where there is none */
function resultsOf(
  job: JobRow,
  outputs: readonly JobOutput[],
  urls: readonly (string | null)[],
): Partial<Output> {
  const { operation, isBatch } = findModel(OPERATIONS, job.operationId) ?? {};
  const schema = operation?.result;
  if (!schema) return {};
  if (isBatch)
    return { items: outputs.map(({ outcome }, position) => itemOf(schema, outcome, urls[position])) };
  const [url] = urls;
  return url ? { result: resultOf(schema, job.details, url) } : {};
}

/** What an operation tells of a run that went well. @param details what the run found out */
export function resultOf(schema: z.ZodObject, details: object | null, url: string): Record<string, unknown> {
  return schema.parse({ ...details, status: 'success', output_url: url });
}

function itemOf(schema: z.ZodObject, outcome: JobOutput['outcome'], url: string | null | undefined): Item {
  if (outcome?.status === 'failed') return outcome;
  if (!outcome || !url) return { status: 'failed', error: EXPIRED };
  const { engine, warnings, cached = false } = outcome;
  return { status: 'success', ...resultOf(schema, outcome, url), engine, warnings, cached };
}
