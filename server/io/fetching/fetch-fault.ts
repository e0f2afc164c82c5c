import { OperationError } from '../../../models/core/operation/errors.ts';
import { findOutage } from '../../base/outage.ts';

/**
 * Reason why a URL could not be used, as a predicate that completes "<field>: ..." (the caller knows the field). It
 * reveals nothing about the network behind the URL beyond what its owner already knows.
 */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
  readonly code: 'bad_request' | 'too_large';
  /** Whether the same fetch may succeed in a moment. */
  readonly isPassing: boolean;
  /** Wait that the server asks for. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: FetchFaultOptions = {}) {
    super(message, options);
    this.code = options.code ?? 'bad_request';
    this.isPassing = options.isPassing ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

interface FetchFaultOptions extends ErrorOptions {
  /** Code of the caller's error. */
  readonly code?: FetchFault['code'];
  readonly isPassing?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

const PARTIAL = 'broke off before its end. Try again';

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refused the connection. Check host and port',
  ECONNRESET: PARTIAL,
  EPIPE: PARTIAL,
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ETIMEDOUT: 'the server did not accept the connection in time',
  CONNECT_TIMEOUT: 'the server did not accept the connection in time',
  HEADERS_TIMEOUT: 'the server did not respond in time',
  BODY_TIMEOUT: 'the transfer stalled. Try again or use a faster server',
  HPE_HEADER_OVERFLOW: 'the response has too many headers',
};

/** Codes of connections that broke or fell silent. */
const PASSING: ReadonlySet<string> = new Set([
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'CONNECT_TIMEOUT', 'HEADERS_TIMEOUT', 'BODY_TIMEOUT'],
  ...['ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_EOF_STATE'],
]);

/**
 * Translates an error of HTTP, a socket or TLS to a fault, or to an outage of ours. An error without a code is a bug of
 * ours and stays unchanged.
 */
export function networkFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FetchFault) return error;
  const outage = findOutage(error);
  if (outage) return outage;
  if (error.name === 'TimeoutError') return new FetchFault('took too long', { cause: error });
  if (!('code' in error && typeof error.code === 'string')) return error;
  const isPassing = PASSING.has(error.code);
  return new FetchFault(BY_CODE[error.code] ?? describeCode(error.code), { cause: error, isPassing });
}

function describeCode(code: string): string {
  if (code.startsWith('HPE_')) return 'the server did not respond in HTTP';
  if (/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code)) return `the TLS connection cannot be trusted (${code})`;
  return `cannot be reached (${code})`;
}

/** Translates a fault to the caller's error. Other errors pass unchanged. */
export function asBadRequest(error: unknown): unknown {
  if (!(error instanceof FetchFault)) return error;
  return new OperationError(error.code, `${error.message}.`, { cause: error });
}
