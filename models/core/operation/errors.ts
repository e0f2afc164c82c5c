import { getKeys } from '../records.ts';
import { ERRORS, type ErrorCode, type Problem } from './error-table.ts';
import { truncateText } from './text.ts';

export type { ErrorCode, Problem } from './error-table.ts';

/** Statuses and titles of one operation that differ from the common table. */
export type ErrorOverrides = Readonly<Partial<Record<ErrorCode, Problem>>>;

/** Faults of the request itself, or of the servers of its files. */
export const REQUEST_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'unfetchable',
  'source_unavailable',
  'unsupported',
  'too_large',
];

/** Faults of an input, found before or during a run: another run gives the same. */
export const INPUT_ERRORS: readonly ErrorCode[] = ['unprocessable', 'over_memory', ...REQUEST_ERRORS];

/**
 * Kinds of failure whose message is for programmers: it names fields of the API, formats of bytes or parts of a
 * browser. A page words the kind for its visitor.
 */
export type FailureKind =
  | 'setting'
  | 'unchanged'
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
const FIELD_LENGTH_MAX = 200;

export interface OperationErrorOptions {
  readonly cause?: unknown;
  readonly kind?: FailureKind | undefined;
  readonly retryAfterSeconds?: number;
  readonly field?: string | undefined;
  readonly jobId?: string;
}

const BRAND = Symbol.for('darkroom.OperationError');

/** Error that may reach a person. Anything else that is thrown is a bug and reads as `internal`. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly code: ErrorCode;
  readonly kind: FailureKind | undefined;
  /** Wait after which a retry may succeed, where it is known. */
  readonly retryAfterSeconds: number | undefined;
  /** Path in the body, such as `items[0].image_url`, or name of a header, where the error is about one. */
  readonly field: string | undefined;
  /** The request_id of the job that the error is about, where it is about one. */
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, message: string, options: OperationErrorOptions = {}) {
    super(truncateText(message, MESSAGE_LENGTH_MAX), options);
    this.code = code;
    this.kind = options.kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.field = options.field === undefined ? undefined : truncateText(options.field, FIELD_LENGTH_MAX);
    this.jobId = options.jobId;
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

/**
 * Creates the error of one field. Its message begins with the field.
 * @param field path in the body, such as `strokes[0].points`, or the name of a header
 * @param problem rest of the message
 * @param options.code defaults to `bad_request`
 */
export function fieldError(
  field: string,
  problem: string,
  {
    code = 'bad_request',
    ...options
  }: Omit<OperationErrorOptions, 'field'> & { readonly code?: ErrorCode } = {},
): OperationError {
  return new OperationError(code, `${field}: ${problem}`, { ...options, field });
}

/** Reports whether an error tells what is wrong with a request or its files. */
export function isRequestError(thrown: unknown): thrown is OperationError {
  return thrown instanceof OperationError && REQUEST_ERRORS.includes(thrown.code);
}

/**
 * Returns the HTTP status and short title of a code.
 * @param overrides of the request's operation
 */
export function getProblem(code: ErrorCode, overrides: ErrorOverrides = {}): Problem {
  return overrides[code] ?? ERRORS[code];
}

/** Reports whether the same request may succeed later. */
export function isTemporaryError(code: ErrorCode): boolean {
  return ERRORS[code].isTemporary;
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
  return getKeys(ERRORS).find((code) => ERRORS[code].title === title);
}

/** Returns the message of anything thrown, which in JavaScript need not be an error. */
export function getMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
