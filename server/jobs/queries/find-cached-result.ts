import { and, asc, desc, eq, inArray, not, notExists, type SQL, sql } from 'drizzle-orm';
import type { StoredWarnings } from '../../../models/core/runtime/run-warnings.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import type { FileRow } from './job-row.ts';
import { listOutputFiles } from './list-outputs.ts';

export interface CacheQuery {
  readonly accountId: string;
  readonly cacheKey: Buffer;
  /** Maximum age of a result. */
  readonly hours: number;
  /** Shortest remaining lifetime of a result. */
  readonly minutesLeftMin: number;
}

/** Available earlier result. */
export interface CachedResult {
  readonly jobId: string;
  /** Findings, engine and warnings of the run. */
  readonly outcome: { readonly warnings: StoredWarnings } & Readonly<Record<string, unknown>>;
  /** Files in order. */
  readonly files: readonly FileRow[];
}

/** Finds the account's newest result with the same key, of a single request or else of a batch item. */
export async function findCachedResult(db: Executor, query: CacheQuery): Promise<CachedResult | undefined> {
  return (await findJob(db, query)) ?? (await findItem(db, query));
}

async function findJob(db: Executor, query: CacheQuery): Promise<CachedResult | undefined> {
  const { jobs, files } = schema;
  const outputs = (isWanted?: SQL) =>
    db
      .select()
      .from(files)
      .where(and(eq(files.jobId, jobs.id), eq(files.role, 'output'), isWanted));
  const [job] = await db
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.cacheKey, query.cacheKey),
        isRecent(query),
        notExists(outputs(not(outlivesMinimum(query)))),
      ),
    )
    .orderBy(desc(jobs.completedAt))
    .limit(1);
  if (!job) return undefined;
  const { id, details, engine, warnings, weights } = job;
  const outcome = { ...details, engine, warnings, weights };
  return { jobId: id, outcome, files: await listOutputFiles(db, id) };
}

async function findItem(db: Executor, query: CacheQuery): Promise<CachedResult | undefined> {
  const { jobs, files, batchItems } = schema;
  const [found] = await db
    .select({ jobId: jobs.id, outcome: batchItems.outcome, further: batchItems.furtherFileKeys, file: files })
    .from(batchItems)
    .innerJoin(files, eq(files.key, batchItems.fileKey))
    .innerJoin(jobs, eq(jobs.id, batchItems.jobId))
    .where(and(eq(batchItems.cacheKey, query.cacheKey), isRecent(query), outlivesMinimum(query)))
    .orderBy(desc(jobs.completedAt))
    .limit(1);
  if (!found) return undefined;
  const { jobId, file, further } = found;
  const others = further.length === 0 ? [] : await listLive(db, query, further);
  if (others.length < further.length) return undefined;
  return { jobId, outcome: found.outcome as CachedResult['outcome'], files: [file, ...others] };
}

async function listLive(db: Executor, query: CacheQuery, keys: readonly string[]): Promise<FileRow[]> {
  const { files } = schema;
  return await db
    .select()
    .from(files)
    .where(and(inArray(files.key, [...keys]), outlivesMinimum(query)))
    .orderBy(asc(files.position));
}

/** Requires a completed job: the finished items of a running batch are not paid for. */
function isRecent({ accountId, hours }: CacheQuery): SQL | undefined {
  const { jobs } = schema;
  return and(
    eq(jobs.accountId, accountId),
    eq(jobs.status, 'COMPLETED'),
    sql`${jobs.completedAt} > now() - ${hours} * interval '1 hour'`,
  );
}

function outlivesMinimum({ minutesLeftMin }: CacheQuery): SQL {
  const { deletedAt, expiresAt } = schema.files;
  return sql`(${deletedAt} is null and ${expiresAt} > now() + ${minutesLeftMin} * interval '1 minute')`;
}
