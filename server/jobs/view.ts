import type { z } from 'zod';
import { type BatchOutcome, findModel } from '../../models/batch.ts';
import { isTerminal } from '../../models/job.ts';
import type { JobView } from '../../models/job-view.ts';
import { formatUsd } from '../../models/money.ts';
import { OPERATIONS } from '../../models/registry.ts';
import type { Context } from '../context.ts';
import { resultUrl, resultUrlConfig } from '../storage/index.ts';
import type { FileRow, JobRow } from './job-row.ts';

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
 * @param outputs the job's output files by position; none while it has no result
 */
export function jobView(job: JobRow, outputs: readonly FileRow[], urlOf: UrlOf, now = new Date()): JobView {
  const live = outputs.filter((file) => file.deletedAt === null && file.expiresAt > now);
  const expired = live.length < outputs.length;
  return {
    request_id: job.id,
    status: job.status,
    model_id: job.operationId,
    error: job.error,
    output:
      job.status === 'COMPLETED'
        ? {
            media_url: live.map(urlOf),
            media_type: outputs[0]?.mediaType ?? '',
            ...resultsOf(job, live, urlOf),
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
    warnings: expired ? [...job.warnings, EXPIRED] : job.warnings,
    engine: job.engine,
  };
}

/** In the words of the operation's own result, where it has one. */
function resultsOf(job: JobRow, live: readonly FileRow[], urlOf: UrlOf): Partial<Output> {
  const { operation, isBatch } = findModel(OPERATIONS, job.operationId) ?? {};
  const schema = operation?.result;
  if (!schema) return {};
  const urls = new Map(live.map((file) => [file.position, urlOf(file)]));
  const url = urls.get(0);
  if (!isBatch)
    return url ? { result: schema.parse({ ...job.details, status: 'success', output_url: url }) } : {};
  const outcomes = (job.details?.items ?? []) as readonly BatchOutcome[];
  return { items: outcomes.map((outcome, position) => itemOf(outcome, urls.get(position), schema)) };
}

function itemOf(outcome: BatchOutcome, url: string | undefined, schema: z.ZodObject): Item {
  if (outcome.status === 'failed') return outcome;
  if (!url) return { status: 'failed', error: EXPIRED };
  const { engine, warnings } = outcome;
  return { status: outcome.status, ...schema.parse({ ...outcome, output_url: url }), engine, warnings };
}
