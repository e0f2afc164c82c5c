import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import { discardStream, type SavedFile, saveStream } from '../../base/streams.ts';
import { type AddressRules, resolveAllowed } from './address-rules.ts';
import { codedBytesMax, decodeContent, parseContentEncoding } from './content-encoding.ts';
import { asBadRequest, FetchFault, networkFault } from './fetch-fault.ts';
import { type FetchOwner, fetchSemaphores } from './fetch-semaphores.ts';
import { parseHttpUrl } from './http-url.ts';
import { type RequestTimeouts, type SendOptions, sendRequest } from './send-request.ts';

interface DownloadOptions extends OpenOptions {
  /** Tries of a file whose server fails for a moment: once without. */
  readonly retries?: RetryWindow;
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
  /** Part that is here already. */
  readonly part?: FilePart | undefined;
}

/** Start of a file that a broken fetch has left. */
interface FilePart {
  readonly bytes: number;
  /** Tells whether the rest is of the same file: a strong ETag, or Last-Modified. */
  readonly validator: string;
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
  /** Bytes of the file before the body: those of the part that is here already, if it may be continued; else 0. */
  readonly offset: number;
  /** As of a {@link FilePart}; null where the rest of the file cannot be fetched alone. */
  readonly validator: string | null;
  /** Body, to be read once. Fails as {@link openUrl} does. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, wherever the body is. Always call it. */
  close(): void;
}

const TIMEOUTS: FetchTimeouts = {
  connectMs: 5_000,
  headersMs: 5_000,
  stallMs: 5_000,
  totalMs: 300_000,
};

const DAY_SECONDS = 86_400;

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
    const { bytesMax, rateMin, part } = options;
    const { response, codings, offset } = await follow(
      start,
      { reach: options, timeouts, signal },
      { bytesMax, part },
    );
    const limits = { bytesMax, tooLarge: () => tooLarge(bytesMax) };
    const mediaType = response.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    return {
      mediaType: mediaType || null,
      offset,
      validator: codings.length === 0 ? readValidator(response) : null,
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
  const chunks: AsyncIterable<Buffer> = body;
  for await (const chunk of chunks) {
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
  readonly offset: number;
}

type Wanted = Pick<OpenOptions, 'bytesMax' | 'part'>;

/** Returns the first response that is no redirect; it must have the file, or its rest, in a supported size and form. */
async function follow(start: URL, options: SendOptions, wanted: Wanted): Promise<CodedResponse> {
  const { part } = wanted;
  const headers = {
    ...{ accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'darkroom/1.0' },
    ...(part && { range: `bytes=${part.bytes}-`, 'if-range': part.validator }),
  };
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await sendRequest(url, { method: 'GET', headers }, options);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || typeof location !== 'string') {
      return checkHead(response, wanted);
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

function checkHead(response: IncomingMessage, wanted: Wanted): CodedResponse {
  try {
    return { response, ...readHead(response, wanted) };
  } catch (fault) {
    discardStream(response);
    throw fault;
  }
}

/** Returns how a body is coded and where it begins. @throws FetchFault for a response that is not supported */
function readHead(
  { statusCode = 0, headers }: IncomingMessage,
  { bytesMax, part }: Wanted,
): Omit<CodedResponse, 'response'> {
  const isRest = part !== undefined && statusCode === 206;
  if (statusCode !== 200 && !isRest) {
    throw new FetchFault(`the server responded with status ${statusCode} instead of 200`, {
      isPassing: isPassingStatus(statusCode) || (part !== undefined && statusCode === 416),
      retryAfterSeconds: readRetryAfter(headers['retry-after']),
    });
  }
  const codings = parseContentEncoding(headers['content-encoding']);
  const offset = isRest ? part.bytes : 0;
  const isOther = codings.length > 0 || !headers['content-range']?.startsWith(`bytes ${offset}-`);
  if (isRest && isOther) {
    throw new FetchFault('the server sent another part of the file than it was asked for', {
      isPassing: true,
    });
  }
  const bytes = offset + Number(headers['content-length'] ?? 0);
  if (bytes > codedBytesMax(codings, bytesMax)) throw tooLarge(bytesMax);
  return { codings, offset };
}

function isPassingStatus(status: number): boolean {
  if (status >= 500) return status !== 501 && status !== 505;
  return status === 408 || status === 425 || status === 429;
}

/** Reads Retry-After: seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), DAY_SECONDS) : undefined;
}

/** Returns what tells that two responses are of the same file, as If-Range takes it (RFC 9110, section 13.1.5). */
function readValidator({ headers }: IncomingMessage): string | null {
  const { etag, 'last-modified': modified = null } = headers;
  return etag?.startsWith('"') ? etag : modified;
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

/** Pauses that the fetches of one request may make: all end within a minute after the first began. */
export class RetryWindow {
  #endMs: number | undefined;

  /** Reports whether there is time for a pause that begins now. */
  hasRoomFor(pauseMs: number): boolean {
    const nowMs = performance.now();
    this.#endMs ??= nowMs + RETRY_WINDOW_MS;
    return nowMs + pauseMs <= this.#endMs;
  }
}

const RETRY_WINDOW_MS = 60_000;
const TRIES = 3;
/** Longest pauses before the second and the third try, where the server names none. */
const PAUSES_MS = [1_500, 6_000] as const;
/** Longest pause that a server may ask for. */
const RETRY_AFTER_SECONDS_MAX = 30;
/** Advice to the client where the server names no time. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Streams a user's URL into a local file, as {@link openUrl} reads it. Deletes the file after a failure. With
 * `retries`, a fault that may pass is tried again, from where the transfer broke off if the server can continue; a
 * fetch that pauses holds no slot.
 * @throws OperationError `bad_request` or `too_large` with the problem, for the caller to prefix with the field;
 *   `source_unavailable` after the last try; the signal's reason once aborted
 */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const { path, signal, retries, timeouts } = options;
  const endMs = performance.now() + (timeouts?.totalMs ?? TIMEOUTS.totalMs);
  const progress: Progress = { countedBytes: 0, validator: null };
  try {
    for (let tries = 1; ; tries++) {
      const totalMs = Math.max(1, endMs - performance.now());
      const attempt = { ...options, timeouts: { ...timeouts, totalMs } };
      const failed = await downloadOnce(url, attempt, progress).catch((error: unknown) => ({ error }));
      if (!('error' in failed)) return failed;
      signal.throwIfAborted();
      const fault = findPassingFault(failed.error);
      if (!fault || !retries) throw asBadRequest(failed.error);
      const pauseMs = getPause(tries, fault);
      if (pauseMs === undefined || !retries.hasRoomFor(pauseMs)) throw sourceUnavailable(fault, tries);
      await setTimeout(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** What the tries of a download have reached. */
interface Progress {
  /** Bytes of the file that the caller has counted. */
  countedBytes: number;
  /** Of the file that lies at the path; null where it cannot be continued. */
  validator: string | null;
}

async function downloadOnce(url: string, options: DownloadOptions, progress: Progress): Promise<Downloaded> {
  const { path, bytesMax, count, assertNamedType } = options;
  const part = await findPart(path, progress.validator);
  progress.validator = null;
  const { mediaType, body, close, offset, validator } = await openUrl(url, { ...options, part });
  progress.validator = validator;
  let bytes = offset;
  const countNew = (more: number) => {
    bytes += more;
    if (bytes <= progress.countedBytes) return;
    count?.(bytes - progress.countedBytes);
    progress.countedBytes = bytes;
  };
  try {
    if (mediaType !== null) assertNamedType?.(mediaType);
    const saving = { path, offset, bytesMax, tooLarge: () => tooLarge(bytesMax), count: countNew };
    return { ...(await saveStream(body, saving)), mediaType };
  } finally {
    close();
  }
}

async function findPart(path: string, validator: string | null): Promise<FilePart | undefined> {
  const found = validator !== null && (await stat(path).catch(() => undefined));
  return found && found.size > 0 && validator !== null ? { bytes: found.size, validator } : undefined;
}

/** Returns the fault of a fetch that may succeed in a moment; undefined for any other error. */
function findPassingFault(error: unknown): FetchFault | undefined {
  const fault = error instanceof OperationError ? error.cause : error;
  return fault instanceof FetchFault && fault.isPassing ? fault : undefined;
}

/** @returns undefined where no further try may follow */
function getPause(tries: number, { retryAfterSeconds }: FetchFault): number | undefined {
  const pauseMs = PAUSES_MS[tries - 1];
  if (tries >= TRIES || pauseMs === undefined) return undefined;
  if (retryAfterSeconds === undefined) return pauseMs * (0.5 + Math.random() / 2);
  return retryAfterSeconds <= RETRY_AFTER_SECONDS_MAX ? retryAfterSeconds * 1000 : undefined;
}

function sourceUnavailable(fault: FetchFault, tries: number): OperationError {
  const retryAfterSeconds = Math.max(1, fault.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  const tried = tries === 1 ? 'once' : `${tries} times`;
  const message = `${fault.message}. It was tried ${tried}: the same request may succeed in ${retryAfterSeconds} s.`;
  return new OperationError('source_unavailable', message, { cause: fault, retryAfterSeconds });
}
