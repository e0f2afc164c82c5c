import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** Runner processes that are alive hold an advisory lock on `lockKey`; a row without its lock is a dead runner. */
export const runners = pgTable('runners', {
  id: text('id').primaryKey(),
  lockKey: integer('lock_key').generatedAlwaysAsIdentity().notNull(),
  host: text('host').notNull(),
  startedAt: moment('started_at').notNull().default(sql`now()`),
});

/**
 * Web and runner processes, each with its last sign of life. The migration makes the table UNLOGGED: it may be lost,
 * the processes write it again.
 */
export const processes = pgTable('processes', {
  id: uuid('id').primaryKey(),
  part: text('part').$type<ProcessPart>().notNull(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  facts: jsonb('facts').$type<ProcessFacts>().notNull(),
  startedAt: moment('started_at').notNull(),
  beatAt: moment('beat_at').notNull().default(sql`now()`),
});

export type ProcessPart = 'web' | 'runner';

/** Outage that a process sees: its work that needs the dependency waits. */
export interface ProcessOutage {
  readonly dependency: string;
  /** ISO 8601. */
  readonly since: string;
  /** Failures in a row. */
  readonly failures: number;
}

/** Download of a file of weights that has begun. */
export interface WeightDownload {
  readonly id: string;
  readonly bytes: number;
  /** null where it is unknown. */
  readonly bytesTotal: number | null;
}

/** State of a process and its machine at its last sign of life. Sizes are bytes. */
export interface ProcessFacts {
  /** Versions of the service and of what it runs on, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly cores: number;
  /** Load average of the last minute. */
  readonly load: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly residentBytes: number;
  /** Disk of `DATA_DIR`. */
  readonly diskBytes: number;
  readonly freeDiskBytes: number;
  /** Room by DISK_RESERVE_MB, on the temporary folder's disk as well; absent from processes of earlier versions. */
  readonly diskState?: 'ample' | 'low' | 'full';
  /** Ids of the weights that are stored there, whole. */
  readonly weights: readonly string[];
  /** Weights that are being fetched; absent from processes of earlier versions, as what follows. */
  readonly fetching?: readonly WeightDownload[];
  /** Downloaded weights together, and their limit. */
  readonly weightBytes?: number;
  readonly weightBytesMax?: number;
  /** Weights that were deleted to make room for others and are not back; `at` is ISO 8601. */
  readonly evicted?: readonly { readonly id: string; readonly bytes: number; readonly at: string }[];
  /** Engines that failed their acceptance test there, with the reason. */
  readonly failedEngines?: readonly { readonly id: string; readonly reason: string }[];
  /** Isolation of its children that decode files from the files of others; absent from processes of earlier versions. */
  readonly isolation?: 'user' | 'bubblewrap' | 'no-new-privileges' | 'none';
  /** Whether it does no work before it has a key that it lacks. */
  readonly waitsForKey?: boolean;
  /** Requests to the database without a response; beyond the pool's connections they wait for one. */
  readonly pool?: { readonly pending: number; readonly connectionsMax: number };
  /** Slots of a runner's lanes, and those that a run holds. */
  readonly lanes?: readonly { readonly lane: string; readonly slots: number; readonly running: number }[];
  /** Children that ended in disorder since the start, by the kind of their end. */
  readonly childEnds?: Readonly<Record<string, number>>;
  /** Dependencies that fail now; absent from processes of earlier versions. */
  readonly outages?: readonly ProcessOutage[];
  /** Ids of its keys of SECRETS_KEY, the one that encrypts first; absent from processes of earlier versions. */
  readonly secretsKeys?: readonly string[];
}
