import type { Job } from './types.ts';

/** Refusal of a request by the service. Each kind has a subclass. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Code for programs, such as `insufficient_balance`; null where the response has none. */
  readonly code: string | null;
  /** Short title, such as `Insufficient Balance`; null where the response has none. */
  readonly title: string | null;
  /** Field of the request that is wrong, such as `quality`; null where the message names none. */
  readonly field: string | null;
  /** Wait after which the request may succeed, where the service names one. */
  readonly retryAfterSeconds: number | null;
  /** Id of the request in the service's log. */
  readonly traceId: string | null;
  /** Sentence that says what to do next. */
  readonly advice: string = 'Report it with its traceId to whoever runs the service.';

  constructor(response: Response, message: string, title: string | null = null) {
    super(message);
    const { status, headers } = response;
    const wait = Number(headers.get('retry-after') ?? Number.NaN);
    this.status = status;
    this.code = headers.get('error-code');
    this.title = title;
    this.field = /^([\w.-]+): /.exec(message)?.[1] ?? null;
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : null;
    this.traceId = headers.get('x-request-id');
  }
}

/** A field or file that the operation does not accept. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
  override readonly advice =
    'Correct the field or file that the message names. The same request fails again.';
}

/** A missing, unknown, expired or revoked key. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
  override readonly advice = 'Check the API key, or create a new one.';
}

/** A key that may not run the operation. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
  override readonly advice = 'Use a key that may run this operation.';
}

/** A wallet, or a key's monthly cap, that does not cover the price. */
export class InsufficientBalanceError extends ApiError {
  override readonly name = 'InsufficientBalanceError';
  override readonly advice = 'Top up the wallet, or raise the monthly cap of the key.';
}

/** A job or file that does not exist, belongs to another account, or has expired. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  override readonly advice = 'Check the id. Jobs and result files expire.';
}

/** A request that contradicts the state of its job or of its Idempotency-Key. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
  override readonly advice = 'Read the state of the job, and decide again.';
}

/** More requests than the key or the account may send. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
  override readonly advice = 'Wait for retryAfterSeconds, and send fewer requests at the same time.';
}

/** A fault of the service, after every retry. Nothing was charged. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
  override readonly advice = 'Try again later.';
}

/** The service cannot be reached, or the connection was lost on every retry. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly advice = 'Check the network and the origin of the service.';
}

/**
 * End of a job without a result: FAILED by its input or canceled, or ERROR on the service's side. Nothing was charged.
 */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
  readonly job: Job;
  readonly isCanceled: boolean;
  readonly advice: string;

  constructor(job: Job) {
    super(job.error ?? job.status);
    this.job = job;
    this.isCanceled = job.error === 'canceled';
    this.advice =
      job.status === 'ERROR'
        ? 'Try again later.'
        : 'Check the file and the params. The same request fails again.';
  }
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientBalanceError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  422: InvalidRequestError,
  429: TooManyRequestsError,
};

/** Builds the error of a response without success. Reads its body. */
export async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { error?: unknown; message?: unknown } | null;
  const message = typeof body?.message === 'string' ? body.message : `HTTP status ${response.status}`;
  const title = typeof body?.error === 'string' ? body.error : null;
  // Operations may have statuses of their own for it.
  const isBalance = response.headers.get('error-code') === 'insufficient_balance';
  const usual = response.status >= 500 ? ServiceError : ApiError;
  const Kind = isBalance ? InsufficientBalanceError : (BY_STATUS[response.status] ?? usual);
  return new Kind(response, message, title);
}
