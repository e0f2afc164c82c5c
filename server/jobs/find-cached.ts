import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';

/** A result that goes this soon is of no use any more. */
const MINUTES_LEFT_MIN = 10;

export interface CacheQuery {
  readonly accountId: string;
  readonly cacheKey: Buffer;
  /** How old a result may be. */
  readonly hours: number;
}

/** The account's newest job of the same key whose result is still there, and stays for a while. */
export async function findCached(db: Executor, query: CacheQuery): Promise<string | undefined> {
  const { jobs } = schema;
  const [job] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.accountId, query.accountId),
        eq(jobs.cacheKey, query.cacheKey),
        eq(jobs.status, 'COMPLETED'),
        sql`${jobs.completedAt} > now() - ${query.hours} * interval '1 hour'`,
        isKept(),
      ),
    )
    .orderBy(desc(jobs.completedAt))
    .limit(1);
  return job?.id;
}

function isKept(): SQL {
  const { jobs, files } = schema;
  return sql`not exists (select from ${files} where ${files.jobId} = ${jobs.id} and role = 'output'
    and (deleted_at is not null or expires_at < now() + ${MINUTES_LEFT_MIN} * interval '1 minute'))`;
}
