import { ERRORS } from './error-table.ts';
import type { ErrorCode, Job, Problem } from './types.ts';

/** An argument that no request can be made of: an unknown model, or an input that is none. */
export class InvalidArgumentError extends TypeError {
  override readonly name = 'InvalidArgumentError';
}

/** Refusal of a request by the service. Each kind has a subclass. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Code for programs, such as `insufficient_balance`; null where the response has none. */
  readonly code: ErrorCode | null;
  /** Short title, such as `Insufficient Balance`; null where the response has none. */
  readonly title: string | null;
  /** Path in the body or header that is wrong, such as `quality`; null where the error is about none. */
  readonly field: string | null;
  /** Wait after which the request may succeed, where the service names one. */
  readonly retryAfterSeconds: number | null;
  /** Id of the request in the service's log. */
  readonly traceId: string | null;
  /** Sentence that says what to do next. */
  readonly advice: string = 'Report it with its traceId to the operator of the service.';

  /** Id of the job where there is one, else of the HTTP request; null where the response has none. */
  readonly requestId: string | null;

  constructor(response: Response, body: Partial<Problem>) {
    super(body.message ?? `HTTP status ${response.status}`);
    const { status, headers } = response;
    const wait = Number(headers.get('retry-after') ?? Number.NaN);
    this.status = status;
    this.code = body.code ?? (headers.get('error-code') as ErrorCode | null);
    this.title = body.error ?? null;
    this.field = body.field ?? null;
    this.requestId = body.request_id ?? null;
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : null;
    this.traceId = headers.get('x-request-id');
  }
}

/** A field or file that the operation does not accept. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
  override readonly advice: string =
    'Correct the field or file that the message names. The same request fails again.';
}

/** A server of an input that failed for a moment, several times. */
export class SourceUnavailableError extends InvalidRequestError {
  override readonly name = 'SourceUnavailableError';
  override readonly advice = 'Send the same request again later.';
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

/** A fault of the service, after every retry, or what it cannot run at all. Nothing was charged. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
  override readonly advice = getServiceAdvice(this.code);
}

/** @param code of an error on the service's side */
function getServiceAdvice(code: ErrorCode | null): string {
  const isLasting = code !== null && ERRORS[code]?.isTemporary === false;
  return isLasting
    ? 'Ask for what this service has, or ask its operator. The same request fails again.'
    : 'Try again later.';
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
  /** Code for programs, such as `unprocessable`. */
  readonly code: ErrorCode | null;
  /** Path in the body that the failure is about; null where it is about none. */
  readonly field: string | null;
  readonly isCanceled: boolean;
  readonly advice: string;

  constructor(job: Job) {
    super(job.error ?? job.status);
    this.job = job;
    this.code = job.code;
    this.field = job.field;
    this.isCanceled = job.code === 'canceled';
    this.advice = this.isCanceled
      ? 'Send the request again if it is still wanted.'
      : job.status === 'ERROR'
        ? getServiceAdvice(job.code)
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
  413: InvalidRequestError,
  422: InvalidRequestError,
  429: TooManyRequestsError,
};

/** Kinds that are told by their code, whatever their status. */
const BY_CODE: Readonly<Record<string, typeof ApiError>> = {
  insufficient_balance: InsufficientBalanceError,
  source_unavailable: SourceUnavailableError,
};

/** Builds the error of a response without success. Reads its body. */
export async function readError(response: Response): Promise<ApiError> {
  const body = asProblem(await response.json().catch(() => null));
  // Operations may have statuses of their own for it.
  const code = body.code ?? response.headers.get('error-code');
  const usual = response.status >= 500 ? ServiceError : ApiError;
  const Kind = BY_CODE[code ?? ''] ?? BY_STATUS[response.status] ?? usual;
  return new Kind(response, body);
}

/** Returns the texts of an error's body: a proxy between client and service may respond in another form. */
function asProblem(body: unknown): Partial<Problem> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
}
