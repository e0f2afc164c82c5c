import { type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createTimeoutSignal } from '../../base/signals.ts';
import { discardStream } from '../../base/streams.ts';
import { type AddressRules, isAllowedAddress, resolveAllowed } from './address-rules.ts';
import { asBadRequest, FetchFault, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';

/** Characters of a response that help to find a fault. */
const START_LENGTH = 2_000;

const START_MS = 1_000;

interface PostJsonOptions extends AddressRules {
  /** Sent byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Limit for the whole call. */
  readonly timeoutMs: number;
}

const CONNECT_MS = 10_000;

interface PutFileOptions extends AddressRules {
  /** Sent byte for byte, and destroyed in the end. */
  readonly body: Readable;
  readonly bytes: number;
  readonly mediaType: string;
  /** Limit for the whole call. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RequestTimeouts {
  /** Limit for name look-up, TCP and TLS together. */
  readonly connectMs: number;
  /** Limit from the connection to the response headers. */
  readonly headersMs: number;
  /** Limit between two pieces of the body. */
  readonly stallMs: number;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. A stream's errors end the request. */
  readonly body?: string | Readable;
}

export interface SendOptions {
  readonly reach: AddressRules;
  readonly timeouts: RequestTimeouts;
  readonly signal: AbortSignal;
}

const HEADER_BYTES_MAX = 32_768;

/** Codes of our own, in the table of {@link FetchFault}s. */
type TimeoutCode = 'CONNECT_TIMEOUT' | 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT';

/**
 * Sends one request over its own connection, to allowed addresses only. It connects to the very addresses it
 * checked instead of looking up the name again, so a name that changes its response (DNS rebinding) gains nothing.
 * Node's own client and not undici 7: there a server that closes the connection while the body waits for its reader
 * ends the process, by an assertion that nothing can catch.
 * @returns the response, whose body fails when it stalls; destroy it in any case
 * @throws FetchFault for a forbidden address; errors of sockets, TLS and HTTP
 */
export function sendRequest(
  url: URL,
  { method, headers, body }: OutgoingRequest,
  { reach, timeouts, signal }: SendOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A literal skips the look-up.
    const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal)) assertAllowed(literal, reach);
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const ended = new AbortController();
    // Node passes `autoSelectFamily` on to the socket; its types lack it.
    const options: RequestOptions & { readonly autoSelectFamily: boolean } = {
      method,
      headers,
      signal,
      agent: false,
      autoSelectFamily: true,
      maxHeaderSize: HEADER_BYTES_MAX,
      lookup: checkedLookup(reach, ended.signal),
    };
    const outgoing = (isSecure ? requestSecure : requestPlain)(url, options);
    const endLater = (code: TimeoutCode, milliseconds: number) =>
      setTimeout(() => outgoing.destroy(timeoutError(code)), milliseconds);
    let timer = endLater('CONNECT_TIMEOUT', timeouts.connectMs);
    outgoing.once('socket', (socket) => {
      socket.once('connect', () => assertPeer(socket, reach));
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        timer = endLater('HEADERS_TIMEOUT', timeouts.headersMs);
      });
    });
    outgoing.once('response', (incoming) => {
      clearTimeout(timer);
      incoming.setTimeout(timeouts.stallMs, () => incoming.destroy(timeoutError('BODY_TIMEOUT')));
      resolve(incoming);
    });
    // Without this, Node reports neither a response nor an error.
    outgoing.once('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(new FetchFault('the server switches protocols instead of responding'));
    });
    outgoing.once('close', () => {
      clearTimeout(timer);
      ended.abort();
      // Has an effect only where nothing else was reported.
      reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' }));
    });
    // Errors after the response reach the reader of its body.
    outgoing.on('error', reject);
    if (typeof body === 'object') body.once('error', (error) => outgoing.destroy(error)).pipe(outgoing);
    else outgoing.end(body);
  });
}

function timeoutError(code: TimeoutCode): Error {
  return Object.assign(new Error(code), { code });
}

function assertAllowed(address: string, { allowNetworks }: AddressRules): void {
  if (!isAllowedAddress(address, allowNetworks)) throw new FetchFault('must resolve to a public address');
}

/** Checks the other end before anything is sent to it. */
function assertPeer(socket: Socket, reach: AddressRules): void {
  try {
    assertAllowed(socket.remoteAddress ?? '', reach);
  } catch (fault) {
    socket.destroy(fault instanceof Error ? fault : undefined);
  }
}

function checkedLookup(reach: AddressRules, signal: AbortSignal): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, reach, signal).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error) => callback(error, ''),
    );
  };
}

/**
 * Puts a file to a user's URL under the same address rules as {@link download}. Follows no redirect.
 * @returns the status of the response
 * @throws OperationError `bad_request` without a response; the signal's reason once aborted
 */
export async function putFile(url: string, options: PutFileOptions): Promise<number> {
  const { body, bytes, mediaType, timeoutMs } = options;
  const signal = createTimeoutSignal(timeoutMs, options.signal);
  const timeouts = { connectMs: CONNECT_MS, headersMs: timeoutMs, stallMs: timeoutMs };
  const headers = {
    'content-type': mediaType,
    'content-length': String(bytes),
    'user-agent': 'darkroom/1.0',
  };
  try {
    const outgoing = { method: 'PUT', headers, body } as const;
    const response = await sendRequest(parseHttpUrl(url), outgoing, { reach: options, timeouts, signal });
    discardStream(response);
    return response.statusCode ?? 0;
  } catch (error) {
    options.signal.throwIfAborted();
    throw asBadRequest(networkFault(signal.aborted ? signal.reason : error));
  } finally {
    body.destroy();
  }
}

/**
 * Posts JSON to a user's URL under the same address rules as {@link download}. Follows no redirect.
 * @returns the status, and the start of the response's body as far as it arrives soon
 * @throws OperationError `bad_request` without a response
 */
export async function postJson(
  url: string,
  options: PostJsonOptions,
): Promise<{ status: number; start: string }> {
  const { body, headers, timeoutMs } = options;
  const signal = createTimeoutSignal(timeoutMs);
  const timeouts = { connectMs: timeoutMs, headersMs: timeoutMs, stallMs: timeoutMs };
  try {
    const response = await sendRequest(
      parseHttpUrl(url),
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'darkroom/1.0' },
        body,
      },
      { reach: options, timeouts, signal },
    );
    return { status: response.statusCode ?? 0, start: await readStart(response) };
  } catch (error) {
    throw asBadRequest(networkFault(signal.aborted ? signal.reason : error));
  }
}

/** Reads the start of a body, then closes it. */
function readStart(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      clearTimeout(timer);
      response.destroy();
      // PostgreSQL stores no NUL.
      resolve(text.slice(0, START_LENGTH).replaceAll('\0', '\ufffd'));
    };
    const timer = setTimeout(end, START_MS);
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.length >= START_LENGTH) end();
    });
    response.on('end', end).on('error', end).on('close', end);
  });
}
