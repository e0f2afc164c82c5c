import type { FileFacts } from '../../../models/core/operation/result-file.ts';
import type { schema } from '../../base/database/db.ts';

export type JobRow = typeof schema.jobs.$inferSelect;
export type FileRow = typeof schema.files.$inferSelect;

/**
 * One try at a job. Its number fences it: writes of an attempt count only while the job is PROCESSING and no later
 * attempt has claimed it.
 */
export interface Attempt {
  readonly id: string;
  /** Starts at 1. */
  readonly attempt: number;
}

/** Object stored under `key`. */
export interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: Buffer;
  /** Name outside of the job: of an input, as its client has it; of an output, as it is downloaded. */
  readonly fileName?: string | null;
  /** Facts about an output. */
  readonly facts?: FileFacts | null;
  /** URL that it was fetched from. */
  readonly sourceUrl?: string;
}

/** Stored file of a request. An attachment's name is that of its param. */
export interface RequestFile extends StoredFile {
  readonly role: 'input' | 'attachment';
  /** For an input, the index of its batch item; 0 otherwise. */
  readonly position: number;
}
