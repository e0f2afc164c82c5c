/**
 * The one table of what can go wrong: a code for programs, and the HTTP status and short title it has at the edge.
 * A message always names the field or thing at fault and what to change.
 */
const ERRORS = {
  bad_request: { status: 400, title: 'Bad Request' },
  model_not_found: { status: 400, title: 'Model not found' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  insufficient_balance: { status: 402, title: 'Insufficient Balance' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  conflict: { status: 409, title: 'Conflict' },
  gone: { status: 410, title: 'Gone' },
  range_not_satisfiable: { status: 416, title: 'Range Not Satisfiable' },
  /** The input itself cannot be processed: corrupt, or beyond what a run may use. Another try gives the same. */
  unprocessable: { status: 422, title: 'Unprocessable Entity' },
  too_many_requests: { status: 429, title: 'Too Many Requests' },
  /** Ended by the caller's own signal. Never leaves the process. */
  cancelled: { status: 499, title: 'Cancelled' },
  /** Our side: a crash, a time-out, a codec or store that is not there. Another try may work. */
  internal: { status: 500, title: 'Internal Server Error' },
  unavailable: { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Every error that may reach a person. Anything else that is thrown is a bug and reads as `internal`. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** HTTP status and short title of a code. */
export function problemOf(code: ErrorCode): { status: number; title: string } {
  return ERRORS[code];
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** The code behind a title at the edge, for those who read an answer; undefined for a title that is not of the table. */
export function codeOfTitle(title: unknown): ErrorCode | undefined {
  return (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].title === title);
}

/** The words of whatever was thrown, which in JavaScript need not be an error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
