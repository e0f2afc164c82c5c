import { isTerminal } from '../../models/job.ts';
import type { JobView } from '../../models/job-view.ts';
import { formatUsd } from '../../models/money.ts';
import { isOperationId, OPERATIONS } from '../../models/registry.ts';
import type { Context } from '../context.ts';
import { resultUrl, resultUrlConfig } from '../storage/index.ts';
import type { FileRow, JobRow } from './job-row.ts';

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
            ...(live[0] && resultOf(job, urlOf(live[0]))),
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
function resultOf(
  { operationId, details }: JobRow,
  url: string,
): Pick<NonNullable<JobView['output']>, 'result'> {
  const schema = isOperationId(operationId) ? OPERATIONS[operationId].result : undefined;
  return schema ? { result: schema.parse({ ...details, status: 'success', output_url: url }) } : {};
}
