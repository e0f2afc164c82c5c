import type { Job } from './types.ts';

/** Refusal of a request by the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Code for programs, such as `insufficient_balance`; null where the response has none. */
  readonly code: string | null;

  constructor(status: number, code: string | null, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** End of a job without a result: FAILED by its input, or ERROR on the service's side. Nothing was charged. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
  readonly job: Job;

  constructor(job: Job) {
    super(job.error ?? job.status);
    this.job = job;
  }
}
