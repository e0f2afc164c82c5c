import { type ErrorCode, getProblem } from '../../../models/core/operation/errors.ts';

/** Header that names the request in the log, and in the body of its error. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Body of every response without success. */
export interface ProblemBody {
  /** Short title. */
  readonly error: string;
  readonly message: string;
  readonly code: ErrorCode;
  /** Path in the body, or name of a header, where the error is about one. */
  readonly field?: string;
  /** Id of the job where there is one, else of the HTTP request. */
  readonly request_id: string;
}

/** Error, as far as its response tells it. */
export interface ProblemCause {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field?: string | null | undefined;
  /** Job that the error is about. */
  readonly jobId?: string | undefined;
}

/**
 * Builds the status and body of an error.
 * @param requestId of the HTTP request, for an error that is about no job
 */
export function buildProblem(
  { code, message, field, jobId }: ProblemCause,
  requestId: string,
  { status, title } = getProblem(code),
): { readonly status: number; readonly body: ProblemBody } {
  const body = { error: title, message, code, ...(field && { field }), request_id: jobId ?? requestId };
  return { status, body };
}
