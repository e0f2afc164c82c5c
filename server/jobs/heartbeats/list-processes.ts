import { asc, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

/** Lists the processes of the service over all machines, those that ended without a word within a day included. */
export async function listProcesses(db: Executor) {
  const { processes } = schema;
  const { part, host, pid, startedAt, facts } = processes;
  return await db
    .select({
      id: processes.id,
      part,
      host,
      pid,
      startedAt,
      facts,
      /** By the database's clock. */
      silentSeconds: sql<number>`extract(epoch from now() - ${processes.beatAt})::float8`,
    })
    .from(processes)
    .orderBy(asc(host), asc(part), asc(startedAt));
}

/** Silence after which a process counts as gone: two signs of life are missing. */
export const SILENT_SECONDS_MAX = 30;
