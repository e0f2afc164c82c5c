import { rm } from 'node:fs/promises';
import { type Agent, type Dispatcher, request } from 'undici';
import { type SavedFile, saveStream } from '../save-stream.ts';
import type { Reach } from './addresses.ts';
import { asBadRequest, FetchFault, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';
import { type AgentTimeouts, createSafeAgent } from './safe-agent.ts';

export interface DownloadOptions extends Reach {
  /** The local file to write. */
  readonly path: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  readonly timeouts?: Partial<DownloadTimeouts>;
}

interface DownloadTimeouts extends AgentTimeouts {
  readonly totalMs: number;
}

export interface Downloaded extends SavedFile {
  /** The Content-Type without parameters, in lower case; what the server claims, not what the bytes are. */
  readonly mediaType: string | null;
}

const TIMEOUTS: DownloadTimeouts = {
  connectMs: 10_000,
  headersMs: 30_000,
  stallMs: 30_000,
  totalMs: 300_000,
};
const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Streams a user's URL into a local file. Only public addresses (and allowed networks) are reached, also after each
 * of at most 5 redirects. Nothing stays at `path` after a failure.
 * @throws OperationError `bad_request` saying what is wrong with the URL, for the caller to put the field in front; the signal's reason once aborted
 */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeouts.totalMs)]);
  const agent = createSafeAgent(options, timeouts);
  try {
    return await save(await follow(parseHttpUrl(url), agent, signal), options);
  } catch (error) {
    await rm(options.path, { force: true });
    options.signal.throwIfAborted();
    throw asBadRequest(error);
  } finally {
    await agent.destroy();
  }
}

/** The first answer that is no redirect, which must be a 200. */
async function follow(start: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await get(url, agent, signal);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') return checkStatus(response);
    discard(response);
    url = redirectTarget(location, url);
  }
  throw new FetchFault(`redirects more than ${REDIRECTS_MAX} times`);
}

async function get(url: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'darkroom/1.0' };
  try {
    return await request(url, { dispatcher: agent, signal, headers });
  } catch (error) {
    throw networkFault(error);
  }
}

function redirectTarget(location: string, from: URL): URL {
  try {
    return parseHttpUrl(location, from.href);
  } catch (error) {
    throw error instanceof FetchFault ? new FetchFault(`the URL it redirects to ${error.message}`) : error;
  }
}

function checkStatus(response: Dispatcher.ResponseData): Dispatcher.ResponseData {
  if (response.statusCode === 200) return response;
  discard(response);
  throw new FetchFault(`the server answered with status ${response.statusCode} instead of 200`);
}

/** Ends an answer that nobody reads; undici reports the break as an error of the body. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy();
}

async function save(
  { headers, body }: Dispatcher.ResponseData,
  { path, bytesMax }: DownloadOptions,
): Promise<Downloaded> {
  // Faults of the network are told apart from those of our own disk by where they come up: here, or in saving.
  async function* received(): AsyncGenerator<Uint8Array> {
    try {
      checkHead(headers, bytesMax);
      yield* body as AsyncIterable<Buffer>;
    } catch (error) {
      throw networkFault(error);
    } finally {
      body.on('error', () => {}).destroy();
    }
  }
  const saved = await saveStream(received(), { path, bytesMax, tooLarge: () => tooLarge(bytesMax) });
  const mediaType = headers['content-type']?.toString().split(';', 1)[0]?.trim().toLowerCase();
  return { ...saved, mediaType: mediaType || null };
}

function checkHead(headers: Dispatcher.ResponseData['headers'], bytesMax: number): void {
  const encoding = headers['content-encoding']?.toString().trim().toLowerCase();
  // Unpacking would let a small transfer become a file of any size.
  if (encoding && encoding !== 'identity') {
    throw new FetchFault(
      `the server sends it compressed (Content-Encoding: ${encoding.slice(0, 40)}). Serve it as it is`,
    );
  }
  if (Number(headers['content-length']) > bytesMax) throw tooLarge(bytesMax);
}

function tooLarge(bytesMax: number): FetchFault {
  return new FetchFault(`must be at most ${bytesMax.toLocaleString('en-US')} bytes`);
}
