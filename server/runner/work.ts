import type { Operation } from '../../models/operation.ts';
import type { Claim, JobResult } from '../jobs/index.ts';
import type { Verdict } from './verdict.ts';

/** One attempt at a job. */
export interface Work {
  readonly claim: Claim;
  readonly operation: Operation;
  /** For this attempt alone. */
  readonly directory: string;
  readonly onProgress: (fraction: number) => void;
}

/** What became of it: a result whose files are in storage, or the verdict on a run without one. */
export type Product =
  | { readonly next: 'complete'; readonly result: JobResult }
  | Exclude<Verdict, { next: 'complete' }>;
