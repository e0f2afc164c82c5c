import { createServer, type IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { findFreePort } from '../../../lab/support/service.ts';
import { createResultsListener } from '../../../server/api/results-listener.ts';
import { startRunner } from '../../../server/jobs/runner/runner.ts';
import { startApi, type TestApi } from './api.ts';
import { type IncomingRequest, respondHttp } from './respond-http.ts';
import { openSignedInBrowser } from './sign-in.ts';

export interface LoopbackService {
  readonly api: TestApi;
  readonly url: string;
  /** Cookie of the session of the account's owner. */
  readonly cookie: string;
  /** Method and path of each request, in order. */
  readonly requests: readonly string[];
  /** Replaces the responses to requests that contain the text, one after the other. */
  disturb(request: string, ...disturbances: Disturbance[]): void;
  stop(): Promise<void>;
}

type Disturbance =
  | 'break off'
  | { readonly breakOffAfterBytes: number }
  | { readonly status: number; readonly headers: Record<string, string> };

/**
 * Starts API, result files and a runner in this process, on a loopback port; without the pages.
 * @param options.hasRunner whether jobs run; otherwise they stay queued
 * @param options.isSignedIn whether each request carries the session of the account's owner, as a browser adds it
 */
export async function startLoopbackService(
  page = '',
  { hasRunner = true, isSignedIn = true } = {},
): Promise<LoopbackService> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  // A quick machine sends a file's requests faster than one key may.
  const api = await startApi({
    PUBLIC_URL: url,
    RATE_LIMIT_PER_SECOND: '1000',
    RATE_LIMIT_BURST: '1000',
  });
  const options = { databaseUrl: api.ctx.env.DATABASE_URL ?? '' };
  const runner = hasRunner ? startRunner(api.ctx, options) : undefined;
  await runner?.ready;
  const { cookie } = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
  const more: Record<string, string> = isSignedIn ? { cookie, 'sec-fetch-site': 'same-origin' } : {};
  const results = createResultsListener(api.ctx);
  const requests: string[] = [];
  const disturbances = new Map<string, Disturbance[]>();
  const server = createServer((incoming, outgoing) => {
    const request = `${incoming.method} ${incoming.url}`;
    requests.push(request);
    const [, waiting] = [...disturbances].find(([text]) => request.includes(text)) ?? [];
    const disturbance = waiting?.shift();
    const respond = (received: IncomingRequest) =>
      respondHttp(api.ctx, received, outgoing, more).catch(() => outgoing.destroy());
    if (disturbance === 'break off') incoming.destroy();
    else if (disturbance && 'breakOffAfterBytes' in disturbance)
      respond(brokenOff(incoming, disturbance.breakOffAfterBytes));
    else if (disturbance) outgoing.writeHead(disturbance.status, disturbance.headers).end('{}');
    else if (incoming.url === '/') outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (incoming.url?.startsWith('/cdn/')) results(incoming, outgoing);
    else respond(incoming);
  }).listen(port, '127.0.0.1');
  return {
    api,
    url,
    cookie,
    requests,
    disturb: (request, ...planned) => disturbances.set(request, planned),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await runner?.stop();
      await api.close();
    },
  };
}

/** Passes on the first bytes of a request's body. Then its connection breaks off. */
function brokenOff(incoming: IncomingMessage, bytesMax: number): IncomingRequest {
  const { method, url, headers } = incoming;
  let bytes = 0;
  const first = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= bytesMax) return done(null, chunk);
      incoming.destroy();
      done(new Error('The connection was lost.'));
    },
  });
  return Object.assign(incoming.pipe(first), { method, url, headers });
}
