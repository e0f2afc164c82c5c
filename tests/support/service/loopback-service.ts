import { createServer } from 'node:http';
import { findFreePort } from '../../../scripts/support/service.ts';
import { createResultsListener } from '../../../server/http/results/results-listener.ts';
import { startRunner } from '../../../server/runner/runner.ts';
import { answerHttp } from './answer-http.ts';
import { startApi, type TestApi } from './api.ts';
import { openSignedInBrowser } from './sign-in.ts';

export interface LoopbackService {
  readonly api: TestApi;
  readonly url: string;
  /** Method and path of each request, in order. */
  readonly requests: readonly string[];
  /** Replaces the responses to requests that contain the text, one after the other. */
  disturb(request: string, ...answers: Disturbance[]): void;
  stop(): Promise<void>;
}

type Disturbance = 'break off' | { readonly status: number; readonly headers: Record<string, string> };

/**
 * Starts API, result files and a runner in this process, on a loopback port; without the pages. Each request carries the
 * session of the account's owner, as a browser adds it.
 * @param options.hasRunner whether jobs run; otherwise they stay queued
 */
export async function startLoopbackService(page = '', { hasRunner = true } = {}): Promise<LoopbackService> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const api = await startApi({ PUBLIC_URL: url });
  const options = { databaseUrl: api.ctx.env.DATABASE_URL ?? '' };
  const runner = hasRunner ? startRunner(api.ctx, options) : undefined;
  await runner?.ready;
  const { cookie } = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
  const asOwner = { cookie, 'sec-fetch-site': 'same-origin' };
  const results = createResultsListener(api.ctx);
  const requests: string[] = [];
  const disturbances = new Map<string, Disturbance[]>();
  const server = createServer((incoming, outgoing) => {
    const request = `${incoming.method} ${incoming.url}`;
    requests.push(request);
    const [, waiting] = [...disturbances].find(([text]) => request.includes(text)) ?? [];
    const disturbance = waiting?.shift();
    if (disturbance === 'break off') incoming.destroy();
    else if (disturbance) outgoing.writeHead(disturbance.status, disturbance.headers).end('{}');
    else if (incoming.url === '/') outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (incoming.url?.startsWith('/cdn/')) results(incoming, outgoing);
    else answerHttp(api.ctx, incoming, outgoing, asOwner).catch(() => outgoing.destroy());
  }).listen(port, '127.0.0.1');
  return {
    api,
    url,
    requests,
    disturb: (request, ...answers) => disturbances.set(request, answers),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await runner?.stop();
      await api.close();
    },
  };
}
