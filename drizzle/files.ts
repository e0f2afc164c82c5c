import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, moment } from './columns.ts';
import { jobs } from './jobs.ts';
import { apiKeys } from './keys.ts';

export const fileRole = pgEnum('file_role', ['input', 'output', 'attachment']);

/** Fact about the contents of a file. */
type FileFact = 'width' | 'height' | 'frames' | 'duration_seconds';

/** Objects in storage that belong to a job. Gone from storage once `deletedAt` is set. */
export const files = pgTable(
  'files',
  {
    key: text('key').primaryKey(),
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id),
    role: fileRole('role').notNull(),
    /** Order within the job and role. */
    position: integer('position').notNull(),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    sha256: bytea('sha256').notNull(),
    /** Name outside of the job: of an input, as its client has it; of an output, as it is downloaded. null: unknown. */
    fileName: text('file_name'),
    /** Facts about an output, as the API names them; null for other files, and for those of earlier versions. */
    facts: jsonb('facts').$type<Readonly<Partial<Record<FileFact, number | undefined>>>>(),
    /** URL that the file was fetched from: with it the job can run again. null for any other file. */
    sourceUrl: text('source_url'),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    uniqueIndex('files_job').on(t.jobId, t.role, t.position),
    index('files_expiring').on(t.expiresAt).where(sql`${t.deletedAt} is null`),
  ],
);

/**
 * Outcomes of batch items, each recorded as soon as it is known, so that a dying runner loses only its current items.
 */
export const batchItems = pgTable(
  'batch_items',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id),
    position: integer('position').notNull(),
    outcome: jsonb('outcome').$type<Record<string, unknown>>().notNull(),
    /** For a success: the item's own first file, or that of an earlier job with the same result. */
    fileKey: text('file_key').references(() => files.key),
    /** Keys of the item's other files, of the same job as its first. */
    furtherFileKeys: text('further_file_keys').array().notNull().default([]),
    /** As in a job; null where the result came from an earlier job. */
    cacheKey: bytea('cache_key'),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.position] }),
    index('batch_items_file').on(t.fileKey).where(sql`${t.fileKey} is not null`),
    index('batch_items_cached').on(t.cacheKey).where(sql`${t.cacheKey} is not null`),
  ],
);

/** Files sent for later requests. The object goes at the expiry; the row stays for a while, so that its hash is known. */
export const uploads = pgTable(
  'uploads',
  {
    /** 128 random bits: the last segment of the upload's URL, and part of its object's key. */
    token: text('token').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Key that sent it; null for a session, and for uploads of earlier versions. */
    keyId: uuid('key_id').references(() => apiKeys.id),
    /** Token of the key that sent it; null where the key itself did. */
    tokenId: uuid('token_id'),
    /** Name that its sender gave it. */
    name: text('name'),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Null until all of it has arrived. */
    sha256: bytea('sha256'),
    /** By the bytes; null until all of them have arrived, and for uploads of earlier versions. */
    mediaType: text('media_type'),
    /** Bytes so far of a file that arrives in parts; null once it is complete. */
    receivedBytes: bigint('received_bytes', { mode: 'number' }),
    /** Keys of its parts, in order. */
    parts: text('parts').array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
    /** When its object was deleted. */
    deletedAt: moment('deleted_at'),
  },
  (t) => [index('uploads_account').on(t.accountId), index('uploads_expiring').on(t.expiresAt)],
);
