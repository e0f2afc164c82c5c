import { truncateText } from './truncate-text.ts';

/** HTTP status and short title of an error at the edge. */
export interface Problem {
  readonly status: number;
  readonly title: string;
}

/**
 * The one table of errors: a code for programs, with the HTTP status and short title used at the edge unless an
 * operation has its own. A message always names the invalid field or thing and what to change.
 */
const ERRORS = {
  bad_request: { status: 400, title: 'Bad Request' },
  /** The URL of an input cannot be fetched. */
  unfetchable: { status: 400, title: 'Bad Request' },
  /** The operation does not accept the type of an input, or its size in pixels or duration exceeds a limit. */
  unsupported: { status: 400, title: 'Bad Request' },
  /** An input, or the body that contains it, has too many bytes. */
  too_large: { status: 400, title: 'Bad Request' },
  model_not_found: { status: 400, title: 'Model not found' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  insufficient_balance: { status: 402, title: 'Insufficient Balance' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  conflict: { status: 409, title: 'Conflict' },
  gone: { status: 410, title: 'Gone' },
  range_not_satisfiable: { status: 416, title: 'Range Not Satisfiable' },
  /** The input itself cannot be processed: corrupt, or beyond the limits of a run. A retry gives the same. */
  unprocessable: { status: 422, title: 'Unprocessable Entity' },
  too_many_requests: { status: 429, title: 'Too Many Requests' },
  /** Aborted by the caller: by its own signal, or by closing the connection. Nobody reads the response. */
  cancelled: { status: 499, title: 'Cancelled' },
  /** Our fault: a crash, a timeout, a missing codec or store. A retry may succeed. */
  internal: { status: 500, title: 'Internal Server Error' },
  unavailable: { status: 503, title: 'Service Unavailable' },
  /** The result did not arrive while the request could wait. */
  timeout: { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, Problem>;

export type ErrorCode = keyof typeof ERRORS;

/** Statuses and titles of one operation that differ from the common table. */
export type ErrorOverrides = Readonly<Partial<Record<ErrorCode, Problem>>>;

/** Faults of the request itself: a repeated request fails again. */
export const REQUEST_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'unfetchable',
  'unsupported',
  'too_large',
];

/** Faults of an input, found before or during a run: a retry gives the same. */
export const INPUT_ERRORS: readonly ErrorCode[] = ['unprocessable', ...REQUEST_ERRORS];

/**
 * Kinds of failure whose message is for programmers: it names fields of the API, formats of bytes or parts of a
 * browser. A page words the kind for its visitor.
 */
export type FailureKind =
  | 'setting'
  | 'empty'
  | 'unknown_format'
  | 'damaged'
  | 'no_video'
  | 'no_audio'
  | 'too_large_for_format'
  | 'too_large_for_browser'
  | 'out_of_memory'
  | 'not_written'
  | 'no_codecs'
  | 'part_missing'
  | 'model_unreachable'
  | 'server_unreachable'
  | 'model_unusable'
  | 'model_damaged'
  | 'storage_full'
  | 'unsafe'
  | 'fault';

/** Messages are stored and sent: none grows with the request or file that it is about. */
const MESSAGE_LENGTH_MAX = 1000;

const BRAND = Symbol.for('darkroom.OperationError');

/** Error that may reach a person. Anything else that is thrown is a bug and reads as `internal`. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly code: ErrorCode;
  readonly kind: FailureKind | undefined;
  /** Wait after which a retry may succeed, where it is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; kind?: FailureKind | undefined; retryAfterSeconds?: number } = {},
  ) {
    super(truncateText(message, MESSAGE_LENGTH_MAX), options);
    this.code = code;
    this.kind = options.kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get [BRAND](): true {
    return true;
  }

  /** Recognises errors of another copy of this module: the web process has one, and Next's bundle has its own. */
  static override [Symbol.hasInstance](value: unknown): value is OperationError {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this, and keep the ordinary check
    if (this !== OperationError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** Reports whether an error tells what is wrong with a request or its files. */
export function isRequestError(thrown: unknown): thrown is OperationError {
  return thrown instanceof OperationError && REQUEST_ERRORS.includes(thrown.code);
}

/**
 * Returns the HTTP status and short title of a code.
 * @param overrides of the request's operation
 */
export function problemOf(code: ErrorCode, overrides: ErrorOverrides = {}): Problem {
  return overrides[code] ?? ERRORS[code];
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** Header of a failed response: the code, which several titles share. */
export const ERROR_CODE_HEADER = 'error-code';

/**
 * Returns the first code of a title in a response, for a response without `ERROR_CODE_HEADER`; undefined for an unknown
 * title.
 */
export function codeOfTitle(title: unknown): ErrorCode | undefined {
  return (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].title === title);
}

/** Returns the message of anything thrown, which in JavaScript need not be an error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
