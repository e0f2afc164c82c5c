import { OperationError } from '../../models/errors.ts';

/**
 * Why a URL could not be used, as a predicate that completes "<field>: ..." (the caller knows the field). It tells
 * nothing about the network behind the URL beyond what its owner already knows.
 */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
}

const PARTIAL = 'broke off before its end. Try again';

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refused the connection. Check host and port',
  ECONNRESET: PARTIAL,
  EPIPE: PARTIAL,
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ETIMEDOUT: 'the server did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'the server did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'the server did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the transfer stalled. Try again or use a faster server',
  UND_ERR_SOCKET: PARTIAL,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: PARTIAL,
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
};

/** What undici, a socket or TLS threw, as a fault. What carries no code is a bug of ours and comes back as it is. */
export function networkFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FetchFault) return error;
  if (error.name === 'TimeoutError') return new FetchFault('took too long', { cause: error });
  if (error.name === 'HTTPParserError')
    return new FetchFault('the server did not answer in HTTP', { cause: error });
  if (!('code' in error && typeof error.code === 'string')) return error;
  return new FetchFault(BY_CODE[error.code] ?? describeCode(error.code), { cause: error });
}

function describeCode(code: string): string {
  if (/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code)) return `the TLS connection cannot be trusted (${code})`;
  return `cannot be reached (${code})`;
}

/** A fault as the caller sees it. Other errors pass unchanged. */
export function asBadRequest(error: unknown): unknown {
  if (!(error instanceof FetchFault)) return error;
  return new OperationError('bad_request', `${error.message}.`, { cause: error });
}
