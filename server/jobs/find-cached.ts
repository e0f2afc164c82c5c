import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';
import type { FileRow } from './job-row.ts';

export interface CacheQuery {
  readonly accountId: string;
  readonly cacheKey: Buffer;
  /** How old a result may be. */
  readonly hours: number;
  /** A result that goes sooner is of no use any more. */
  readonly minutesLeftMin: number;
}

/** A result that is still there. */
export interface CachedResult {
  readonly jobId: string;
  /** What the run found out, its engine and its warnings. */
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly file: FileRow;
}

/** The account's newest result of the same key, of a request by itself or else of an item of a batch. */
export async function findCached(db: Executor, query: CacheQuery): Promise<CachedResult | undefined> {
  return (await findJob(db, query)) ?? (await findItem(db, query));
}

async function findJob(db: Executor, query: CacheQuery): Promise<CachedResult | undefined> {
  const { jobs, files } = schema;
  const [found] = await db
    .select({ job: jobs, file: files })
    .from(jobs)
    .innerJoin(files, and(eq(files.jobId, jobs.id), eq(files.role, 'output')))
    .where(and(eq(jobs.cacheKey, query.cacheKey), isUsable(query)))
    .orderBy(desc(jobs.completedAt))
    .limit(1);
  if (!found) return undefined;
  const { id, details, engine, warnings } = found.job;
  return { jobId: id, outcome: { ...details, engine, warnings }, file: found.file };
}

async function findItem(db: Executor, query: CacheQuery): Promise<CachedResult | undefined> {
  const { jobs, files, batchItems } = schema;
  const [found] = await db
    .select({ jobId: jobs.id, outcome: batchItems.outcome, file: files })
    .from(batchItems)
    .innerJoin(files, eq(files.key, batchItems.fileKey))
    .innerJoin(jobs, eq(jobs.id, batchItems.jobId))
    .where(and(eq(batchItems.cacheKey, query.cacheKey), isUsable(query)))
    .orderBy(desc(jobs.completedAt))
    .limit(1);
  return found;
}

/** Only of jobs that have completed: what a batch that goes on has done so far is not paid for. */
function isUsable({ accountId, hours, minutesLeftMin }: CacheQuery): SQL | undefined {
  const { jobs, files } = schema;
  return and(
    eq(jobs.accountId, accountId),
    eq(jobs.status, 'COMPLETED'),
    sql`${jobs.completedAt} > now() - ${hours} * interval '1 hour'`,
    isNull(files.deletedAt),
    sql`${files.expiresAt} > now() + ${minutesLeftMin} * interval '1 minute'`,
  );
}
