import { type Agent, type Dispatcher, request } from 'undici';
import { withinTime } from '../within-time.ts';
import type { Reach } from './addresses.ts';
import { asBadRequest, FetchFault, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';
import { type AgentTimeouts, createSafeAgent } from './safe-agent.ts';

export interface OpenOptions extends Reach {
  /** A body that is declared to be longer is refused; one that is not declared is the reader's to bound. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  readonly timeouts?: Partial<FetchTimeouts>;
}

interface FetchTimeouts extends AgentTimeouts {
  readonly totalMs: number;
}

export interface OpenedUrl {
  /** The Content-Type without parameters, in lower case; what the server claims, not what the bytes are. */
  readonly mediaType: string | null;
  /** To be read once. Fails as {@link openUrl} does. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection, wherever the body is. To be called in any case. */
  close(): Promise<void>;
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
 * Asks a user's URL for its bytes. Only public addresses (and allowed networks) are reached, also after each of at most
 * 5 redirects.
 * @throws OperationError `bad_request` saying what is wrong with the URL, for the caller to put the field in front; the signal's reason once aborted
 */
export async function openUrl(url: string, options: OpenOptions): Promise<OpenedUrl> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const signal = withinTime(timeouts.totalMs, options.signal);
  const agent = createSafeAgent(options, timeouts);
  const faultOf = (error: unknown): unknown => {
    options.signal.throwIfAborted();
    return asBadRequest(networkFault(error));
  };
  try {
    const { headers, body } = await follow(parseHttpUrl(url), agent, signal, options.bytesMax);
    const mediaType = headers['content-type']?.toString().split(';', 1)[0]?.trim().toLowerCase();
    return {
      mediaType: mediaType || null,
      body: received(body, faultOf),
      close: () => {
        discard(body);
        return agent.destroy();
      },
    };
  } catch (error) {
    await agent.destroy();
    throw faultOf(error);
  }
}

async function* received(
  body: Dispatcher.ResponseData['body'],
  faultOf: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw faultOf(error);
  }
}

/** The first answer that is no redirect, which must be a 200 of a size and form that can be used. */
async function follow(
  start: URL,
  agent: Agent,
  signal: AbortSignal,
  bytesMax: number,
): Promise<Dispatcher.ResponseData> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'darkroom/1.0' };
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await request(url, { dispatcher: agent, signal, headers });
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
      return checkHead(response, bytesMax);
    }
    discard(response.body);
    url = redirectTarget(location, url);
  }
  throw new FetchFault(`redirects more than ${REDIRECTS_MAX} times`);
}

function redirectTarget(location: string, from: URL): URL {
  try {
    return parseHttpUrl(location, from.href);
  } catch (error) {
    throw error instanceof FetchFault ? new FetchFault(`the URL it redirects to ${error.message}`) : error;
  }
}

function checkHead(response: Dispatcher.ResponseData, bytesMax: number): Dispatcher.ResponseData {
  const fault = faultInHead(response, bytesMax);
  if (fault === null) return response;
  discard(response.body);
  throw fault;
}

function faultInHead({ statusCode, headers }: Dispatcher.ResponseData, bytesMax: number): FetchFault | null {
  if (statusCode !== 200) {
    return new FetchFault(`the server answered with status ${statusCode} instead of 200`);
  }
  const encoding = headers['content-encoding']?.toString().trim().toLowerCase();
  // Unpacking would let a small transfer become a file of any size.
  if (encoding && encoding !== 'identity') {
    return new FetchFault(
      `the server sends it compressed (Content-Encoding: ${encoding.slice(0, 40)}). Serve it as it is`,
    );
  }
  return Number(headers['content-length']) > bytesMax ? tooLarge(bytesMax) : null;
}

export function tooLarge(bytesMax: number): FetchFault {
  return new FetchFault(`must be at most ${bytesMax.toLocaleString('en-US')} bytes`);
}

/** Ends a body that nobody reads on; undici reports the break as an error of the body. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {}).destroy();
}
