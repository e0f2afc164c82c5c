import { OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import { listKeys } from '../../identity/keys/index.ts';
import { listUploads, removeUpload } from '../../io/uploads/index.ts';
import { listDeliveries } from '../../io/webhooks/index.ts';
import { cancelJob, findJob, getJob, listJobs, listPreviews } from '../../jobs/index.ts';
import { listWorkers } from '../../jobs/self-hosted/index.ts';
import { describeRerun, rerunJob } from '../submit/rerun-job.ts';
import { modeProcedure, router } from './init.ts';
import { jobInput, jobsInput, previewsInput, rerunInput, uploadInput, uploadsInput } from './inputs.ts';
import { showDelivery } from './webhooks.ts';

type JobRow = Awaited<ReturnType<typeof listJobs>>['jobs'][number];

export const jobsRouter = router({
  /** The account's self-hosted workers. */
  workers: modeProcedure('jobs.see').query(({ ctx: { ctx, accountId } }) => listWorkers(ctx, accountId)),
  list: modeProcedure('jobs.see')
    .input(jobsInput)
    .query(async ({ ctx: { ctx, accountId }, input }) => {
      const after = timeCursor.unpack(input.cursor);
      const { statuses, modelId, search, from, to, limit } = input;
      const found = search === undefined ? undefined : await findJob(ctx.db, { accountId, id: search });
      if (found) return { jobs: [showJob(found)], next: null };
      const modelIds = modelId === undefined ? undefined : [modelId];
      const query = { accountId, statuses, modelIds, label: search, from, to, after, limit };
      const { jobs, next } = await listJobs(ctx.db, query);
      return { jobs: jobs.map(showJob), next: next && timeCursor.pack(next) };
    }),
  /** A page of the uploads that wait for requests, newest first. */
  uploads: modeProcedure('jobs.see')
    .input(uploadsInput)
    .query(async ({ ctx: { ctx, accountId }, input: { cursor, limit } }) => {
      const after = timeCursor.unpack(cursor);
      const { uploads, next } = await listUploads(ctx.db, { accountId, limit, after });
      return {
        uploads: uploads.map(({ token, name, bytes, mediaType, receivedBytes, expiresAt }) => ({
          uploadId: token,
          name,
          bytes,
          mediaType,
          isComplete: receivedBytes === null,
          expiresAt: expiresAt.toISOString(),
        })),
        next: next && timeCursor.pack(next),
      };
    }),
  /** Deletes an upload. Jobs that were accepted with it keep its bytes. */
  deleteUpload: modeProcedure('jobs.change')
    .input(uploadInput)
    .mutation(({ ctx: { ctx, accountId }, input: { uploadId: token } }) =>
      removeUpload(ctx, { accountId, token }),
    ),
  /** Names of the results, with the URLs of those that a list shows in small, by job. */
  previews: modeProcedure('jobs.see')
    .input(previewsInput)
    .query(async ({ ctx: { ctx, accountId }, input: { ids } }) =>
      Object.fromEntries(await listPreviews(ctx, { accountId, ids })),
    ),
  /** A job with its files, params, key and webhook deliveries; once it has ended, how it can run again. */
  get: modeProcedure('jobs.see')
    .input(jobInput)
    .query(async ({ ctx: { ctx, accountId }, input: { id } }) => {
      const [view, row, deliveries, keys] = await Promise.all([
        getJob(ctx, { accountId, id }),
        findJob(ctx.db, { accountId, id }),
        listDeliveries(ctx.db, { accountId, reference: id, limit: 10 }),
        listKeys(ctx.db, accountId),
      ]);
      if (!row) throw new OperationError('not_found', `There is no job "${id}".`);
      const key = keys.find(({ keyId }) => keyId === row.keyId);
      const rerun = isTerminal(row.status) ? await describeRerun(ctx, row) : null;
      return {
        ...showJob(row),
        files: view.output?.media_url ?? [],
        mediaType: view.output?.media_type ?? null,
        result: showResult(view.output),
        warnings: view.warnings,
        params: JSON.stringify(row.params, null, 2),
        metadata: row.metadata,
        key: key ? { name: key.name, prefix: key.prefix } : null,
        webhookUrl: row.webhookUrl,
        outputDelivery: view.output_delivery,
        receipt: view.receipt,
        rerun,
        deliveries: deliveries.map(showDelivery),
      };
    }),
  cancel: modeProcedure('jobs.change')
    .input(jobInput)
    .mutation(({ ctx: { ctx, accountId }, input: { id } }) => cancelJob(ctx, { accountId, id })),
  /** Runs an ended job again for the price that was shown. Returns the id of the new job. */
  runAgain: modeProcedure('jobs.change')
    .input(rerunInput)
    .mutation(async ({ ctx: { ctx, accountId, isTest, visitor }, input }) => {
      const actor = { accountId, isTest, keyId: null, rateId: visitor.sessionId, operations: null };
      return { id: await rerunJob(ctx, { accountId, ...input }, actor) };
    }),
});

/** Returns the result as JSON, or those of a batch's items; null where its files are all there is. */
function showResult(output: JobView['output']): string | null {
  const result = output?.result ?? output?.items;
  return result === undefined ? null : JSON.stringify(result, null, 2);
}

function showJob(job: JobRow) {
  const { id, operationId, status, progress, engine, error, held, charged } = job;
  return {
    id,
    modelId: operationId,
    status,
    progress,
    engine,
    error,
    reference: job.reference,
    runOn: job.runOn,
    worker: job.worker,
    facts: job.facts as Readonly<Record<string, string | number | boolean | null>>,
    heldUsd: isTerminal(status) ? null : formatUsd(held),
    chargedUsd: formatUsd(charged),
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    completedAt: job.completedAt?.toISOString() ?? null,
  };
}
