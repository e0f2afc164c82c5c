import { DrizzleQueryError, type ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgTransaction } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import * as schema from '../drizzle/schema.ts';

type Schema = typeof schema;
export type Db = PostgresJsDatabase<Schema> & { $client: postgres.Sql };
export type Tx = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;
/** A verb that takes this joins the transaction it is called in, or runs by itself. */
export type Executor = Db | Tx;

export { schema };

export interface OpenOptions {
  readonly connectionsMax?: number;
  /** Keeps a connection open for ever instead of renewing it now and then, and is called when one closes all the same. */
  readonly onClose?: () => void;
}

/** @param url a postgres:// URL; a unix socket is given as `?host=/folder` */
export function openDb(url: string, { connectionsMax, onClose }: OpenOptions = {}): Db {
  // postgres.js takes a socket's folder as an option only, and would send `host` on to the server as a setting.
  const address = new URL(url);
  const socketDir = address.searchParams.get('host');
  address.searchParams.delete('host');
  const client = postgres(address.href, {
    max: connectionsMax ?? 10,
    onnotice: () => {},
    ...(socketDir ? { host: socketDir } : {}),
    ...(onClose ? { onclose: onClose, max_lifetime: null } : {}),
  });
  return drizzle(client, { schema });
}

export async function closeDb(db: Db): Promise<void> {
  await db.$client.end({ timeout: 5 });
}

/** Name of the constraint that made a statement fail, if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  const fault = error instanceof DrizzleQueryError ? error.cause : error;
  return fault instanceof postgres.PostgresError ? fault.constraint_name : undefined;
}
