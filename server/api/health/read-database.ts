import { sql } from 'drizzle-orm';
import type { Executor } from '../../base/database/db.ts';

export interface DatabaseState {
  /** `17.2` */
  readonly version: string;
  readonly bytes: number;
  readonly connections: number;
  readonly connectionsMax: number;
}

/** Reads the version, size and use of the database. Connections are those of all its databases. */
export async function readDatabase(db: Executor): Promise<DatabaseState> {
  const [row] = await db.execute<{ version: string; bytes: number; connections: number; max: number }>(sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
      current_setting('max_connections')::int as max`);
  if (!row) throw new Error('the database says nothing about itself');
  const { max, ...state } = row;
  return { ...state, connectionsMax: max };
}
