import { and, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { fieldError, type OperationError } from '../../../models/core/operation/errors.ts';
import type { JobStatus } from '../../../models/core/operation/job.ts';
import type { JobLabels } from '../../../models/core/operation/job-labels.ts';
import type { Context } from '../../base/context.ts';
import { cutPage, isOlder, newestFirst, type TimeCursor } from '../../base/database/cursor.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { isSentBy } from '../../base/database/queries.ts';
import type { JobRow } from './job-row.ts';
import { createUrlBuilder } from './job-view.ts';

/** Largest result that a list shows in small, in bytes: browsers load the whole of it. */
const BYTES_MAX = 3_000_000;

export interface JobQuery {
  readonly accountId: string;
  /** Only jobs of these keys or tokens; every job when absent. */
  readonly keyIds?: readonly string[] | undefined;
  /** Every status when absent. */
  readonly statuses?: readonly JobStatus[] | undefined;
  /** Every model when absent. */
  readonly modelIds?: readonly string[] | undefined;
  /** Exactly this one. */
  readonly reference?: string | undefined;
  /** Exactly this reference or, written `key=value`, this metadata. */
  readonly label?: string | undefined;
  /** Each of these keys has this value. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Earliest time of the request, included. */
  readonly from?: Date | undefined;
  /** Latest time of the request, excluded. */
  readonly to?: Date | undefined;
  readonly after?: TimeCursor | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

/**
 * Lists the jobs of an account, newest first, by keyset.
 * @returns `next`, where the following page starts; null after the last one
 */
export async function listJobs(
  db: Executor,
  {
    accountId,
    keyIds,
    statuses,
    modelIds,
    reference,
    label,
    metadata = {},
    from,
    to,
    after,
    limit,
  }: JobQuery,
): Promise<{ jobs: JobRow[]; next: TimeCursor | null }> {
  const { jobs } = schema;
  const conditions: (SQL | undefined)[] = [
    eq(jobs.accountId, accountId),
    isSentBy(jobs, keyIds),
    statuses && inArray(jobs.status, [...statuses]),
    modelIds && inArray(jobs.operationId, [...modelIds]),
    reference === undefined ? undefined : eq(jobs.reference, reference),
    label === undefined ? undefined : hasLabel(label),
    Object.keys(metadata).length > 0 ? hasMetadata(metadata) : undefined,
    from && gte(jobs.createdAt, from),
    to && lt(jobs.createdAt, to),
    isOlder(jobs, after),
  ];
  const rows = await db
    .select()
    .from(jobs)
    .where(and(...conditions))
    .orderBy(...newestFirst(jobs))
    .limit(limit + 1);
  const { page, next } = cutPage(rows, limit, ({ id }) => id);
  return { jobs: page, next };
}

function hasLabel(label: string): SQL | undefined {
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(label) ?? [];
  return or(eq(schema.jobs.reference, label), key === undefined ? undefined : hasMetadata({ [key]: value }));
}

/** Its first part lets PostgreSQL use the index of jobs that have metadata. */
function hasMetadata(metadata: Readonly<Record<string, string>>): SQL {
  const { jobs } = schema;
  return sql`${jobs.metadata} <> '{}'::jsonb and ${jobs.metadata} @> ${JSON.stringify(metadata)}::jsonb`;
}

/** Returns the reference and metadata of those jobs of an account that have any, by their request_id. */
export async function findLabels(
  db: Executor,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, JobLabels>> {
  const { jobs } = schema;
  if (ids.length === 0) return new Map();
  const isLabelled = sql`(${jobs.reference} is not null or ${jobs.metadata} <> '{}'::jsonb)`;
  const rows = await db
    .select({ id: jobs.id, reference: jobs.reference, metadata: jobs.metadata })
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), inArray(jobs.id, [...ids]), isLabelled));
  return new Map(rows.map(({ id, ...labels }) => [id, labels]));
}

/** Creates the error for a request_id of which the account has no job. */
export function requestNotFound(id: string): OperationError {
  return fieldError('request_id', `there is no request "${id}" of this account.`, { code: 'not_found' });
}

/** Name of a job, for a caller who may see those of its account or of some keys. */
export interface JobReference {
  readonly accountId: string;
  /** Only jobs of these keys or tokens; every job when absent. */
  readonly keyIds?: readonly string[] | undefined;
  readonly id: string;
}

/** Finds a job that the caller may see; undefined when there is none of that id. */
export async function findJob(
  db: Executor,
  { accountId, keyIds, id }: JobReference,
): Promise<JobRow | undefined> {
  const { jobs } = schema;
  const [job] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.accountId, accountId), isSentBy(jobs, keyIds)));
  return job;
}

/** First file of a job's results, as lists show it. */
export interface ResultPreview {
  readonly name: string;
  /** URL of an image that a list can show in small: not too large, and still there. Null for any other file. */
  readonly url: string | null;
}

/** Returns the previews of completed jobs of the account, by their ids. */
export async function listPreviews(
  ctx: Context,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, ResultPreview>> {
  if (ids.length === 0) return new Map();
  const { jobs, files } = schema;
  const getUrl = await createUrlBuilder(ctx);
  const found = await ctx.db
    .select({ file: files, isStored: jobs.isStored })
    .from(files)
    .innerJoin(jobs, eq(jobs.id, files.jobId))
    .where(
      and(
        inArray(files.jobId, [...ids]),
        eq(jobs.accountId, accountId),
        eq(jobs.status, 'COMPLETED'),
        eq(files.role, 'output'),
        eq(files.position, 0),
      ),
    );
  const isShown = ({ mediaType, bytes, deletedAt, expiresAt }: typeof files.$inferSelect) =>
    mediaType.startsWith('image/') && bytes <= BYTES_MAX && deletedAt === null && expiresAt > new Date();
  return new Map(
    found.map(({ file, isStored }) => [
      file.jobId,
      { name: file.name, url: isStored && isShown(file) ? getUrl(file) : null },
    ]),
  );
}
