import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createTimeoutSignal } from '../../base/signals.ts';
import { discardStream, type SavedFile, saveStream } from '../../base/streams.ts';
import { type AddressRules, resolveAllowed } from './address-rules.ts';
import { codedBytesMax, decodeContent, parseContentEncoding } from './content-encoding.ts';
import { asBadRequest, FetchFault, networkFault } from './fetch-fault.ts';
import { type FetchOwner, fetchSemaphores } from './fetch-semaphores.ts';
import { parseHttpUrl } from './http-url.ts';
import { type RequestTimeouts, type SendOptions, sendRequest } from './send-request.ts';

interface DownloadOptions extends OpenOptions {
  /** Local file to write. */
  readonly path: string;
  /** Counts bytes before they are written. What it throws ends the download. */
  readonly count?: (bytes: number) => void;
  /** Checks a media type that the server names, in lower case, before the body is read. */
  readonly assertNamedType?: (mediaType: string) => void;
}

interface Downloaded extends SavedFile {
  /** Media type that the server claims, in lower case; the bytes may differ. */
  readonly mediaType: string | null;
}

export interface OpenOptions extends AddressRules, FetchOwner {
  /** Limit on the declared length of a body; the reader must limit an undeclared one. */
  readonly bytesMax: number;
  readonly timeouts?: Partial<FetchTimeouts>;
  /** Lowest mean rate of the body; none when absent. */
  readonly rateMin?: FetchRate;
}

interface FetchRate {
  readonly bytesPerSecond: number;
  /** Time before the rate counts. */
  readonly graceMs: number;
}

interface FetchTimeouts extends RequestTimeouts {
  readonly totalMs: number;
}

export interface OpenedUrl {
  /** Content-Type without parameters, in lower case, as the server claims it; the bytes may differ. */
  readonly mediaType: string | null;
  /** Body, to be read once. Fails as {@link openUrl} does. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, wherever the body is. Always call it. */
  close(): void;
}

const TIMEOUTS: FetchTimeouts = {
  connectMs: 10_000,
  headersMs: 30_000,
  stallMs: 30_000,
  totalMs: 300_000,
};

const REDIRECTS_MAX = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Opens a user's URL, once it is the owner's turn. Connects only to public addresses (and allowed networks), also after
 * each of at most 5 redirects.
 * @throws OperationError `bad_request` or `too_large` with the problem, for the caller to prefix with the field;
 *   `too_many_requests` when too many fetches of the owner wait already; the signal's reason once aborted
 */
export async function openUrl(url: string, options: OpenOptions): Promise<OpenedUrl> {
  const start = parseUserUrl(url);
  const leave = await fetchSemaphores.enter(options, start.hostname);
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const signal = createTimeoutSignal(timeouts.totalMs, options.signal);
  const getFault = (error: unknown): unknown => {
    options.signal.throwIfAborted();
    return asBadRequest(networkFault(signal.aborted ? signal.reason : error));
  };
  try {
    const { bytesMax, rateMin } = options;
    const { response, codings } = await follow(start, { reach: options, timeouts, signal }, bytesMax);
    const limits = { bytesMax, tooLarge: () => tooLarge(bytesMax) };
    const mediaType = response.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    return {
      mediaType: mediaType || null,
      body: withFaults(decodeContent(receiveBody(response, rateMin), codings, limits), getFault),
      close: () => {
        discardStream(response);
        leave();
      },
    };
  } catch (error) {
    leave();
    throw getFault(error);
  }
}

function parseUserUrl(url: string): URL {
  try {
    return parseHttpUrl(url);
  } catch (error) {
    throw asBadRequest(error);
  }
}

/** Yields the body as it is transferred. @throws FetchFault below the lowest rate */
async function* receiveBody(
  body: IncomingMessage,
  rateMin: FetchRate | undefined,
): AsyncGenerator<Uint8Array> {
  const startedAtMs = performance.now();
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const passedMs = performance.now() - startedAtMs;
    if (rateMin && passedMs > rateMin.graceMs && bytes < (rateMin.bytesPerSecond * passedMs) / 1000) {
      throw new FetchFault('the server sends it too slowly. Use a faster server');
    }
    yield chunk;
  }
}

async function* withFaults(
  body: AsyncIterable<Uint8Array>,
  getFault: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw getFault(error);
  }
}

/** Response to read, and how its body is coded. */
interface CodedResponse {
  readonly response: IncomingMessage;
  readonly codings: readonly string[];
}

/** Returns the first response that is no redirect; it must be a 200 of a supported size and form. */
async function follow(start: URL, options: SendOptions, bytesMax: number): Promise<CodedResponse> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'darkroom/1.0' };
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await sendRequest(url, { method: 'GET', headers }, options);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || typeof location !== 'string') {
      return checkHead(response, bytesMax);
    }
    discardStream(response);
    url = redirectTarget(location, url);
  }
  throw new FetchFault(`redirects more than ${REDIRECTS_MAX} times`);
}

/**
 * Returns the URL of a Location as browsers do: its bytes beyond ASCII, which Node gives as Latin-1, are
 * percent-encoded one by one, so that raw UTF-8 is read as such, in the name of the host as well.
 */
function redirectTarget(location: string, from: URL): URL {
  const ascii = location.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  try {
    return parseHttpUrl(ascii, from.href);
  } catch (error) {
    throw error instanceof FetchFault ? new FetchFault(`the URL it redirects to ${error.message}`) : error;
  }
}

function checkHead(response: IncomingMessage, bytesMax: number): CodedResponse {
  try {
    return { response, codings: readHead(response, bytesMax) };
  } catch (fault) {
    discardStream(response);
    throw fault;
  }
}

/** Returns the codings of a body. @throws FetchFault for a status, coding or length that is not supported */
function readHead({ statusCode, headers }: IncomingMessage, bytesMax: number): string[] {
  if (statusCode !== 200) {
    throw new FetchFault(`the server responded with status ${statusCode} instead of 200`);
  }
  const codings = parseContentEncoding(headers['content-encoding']);
  if (Number(headers['content-length']) > codedBytesMax(codings, bytesMax)) throw tooLarge(bytesMax);
  return codings;
}

export function tooLarge(bytesMax: number): FetchFault {
  return new FetchFault(`must be at most ${bytesMax.toLocaleString('en-US')} bytes`, { code: 'too_large' });
}

/**
 * Checks scheme, credentials and addresses of a URL that is called later, once it is the owner's turn. Each later
 * connection checks again.
 * @throws OperationError `bad_request` with the problem, for the caller to prefix with the field; `too_many_requests`
 *   when too many fetches of the owner wait already; the signal's reason once aborted
 */
export async function assertReachableUrl(url: string, options: AddressRules & FetchOwner): Promise<void> {
  let leave: (() => void) | undefined;
  try {
    const { hostname } = parseHttpUrl(url);
    leave = await fetchSemaphores.enter(options, hostname);
    await resolveAllowed(hostname, options, options.signal);
  } catch (error) {
    throw asBadRequest(error);
  } finally {
    leave?.();
  }
}

/**
 * Streams a user's URL into a local file, as {@link openUrl} reads it. Deletes the file after a failure.
 * @throws OperationError `bad_request` or `too_large` with the problem, for the caller to prefix with the field; the
 *   signal's reason once aborted
 */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const { path, bytesMax, signal, count, assertNamedType } = options;
  const { mediaType, body, close } = await openUrl(url, options);
  try {
    if (mediaType !== null) assertNamedType?.(mediaType);
    const saved = await saveStream(body, { path, bytesMax, tooLarge: () => tooLarge(bytesMax), count });
    return { ...saved, mediaType };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw asBadRequest(error);
  } finally {
    await close();
  }
}
