import type { schema } from '../db.ts';

export type JobRow = typeof schema.jobs.$inferSelect;
export type FileRow = typeof schema.files.$inferSelect;

/**
 * One try at a job. The number fences it: what an attempt writes counts only while the job is PROCESSING and no later
 * attempt has been claimed.
 */
export interface Attempt {
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
}

/** An object that has been put into storage under `key`. */
export interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: Buffer;
}

/** A stored file that came with a request. An attachment's name is that of its param. */
export interface GivenFile extends StoredFile {
  readonly role: 'input' | 'attachment';
  /** Of an input: which item of a batch it belongs to; 0 otherwise. */
  readonly position: number;
}
