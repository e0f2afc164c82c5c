import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, EventSource } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { claimJob, failJob } from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { respondHttp } from '../../support/service/respond-http.ts';

let api: TestApi;
let server: Server;
/** Last-Event-ID of each request for events; undefined without. */
const requests: (string | string[] | undefined)[] = [];

beforeAll(async () => {
  api = await startApi({}, '1', {
    operations: OPERATIONS,
    module: new URL('../../support/operations/test-operations.ts', import.meta.url),
  });
  server = createServer((incoming, outgoing) => {
    if (incoming.url?.endsWith('/events')) requests.push(incoming.headers['last-event-id']);
    void respondHttp(api.ctx, incoming, outgoing, { authorization: `Bearer ${api.apiKey}` });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

async function submit(): Promise<string> {
  return (await api.post('/test', { file_url: api.imageUrl, behaviour: 'copy' })).body.request_id;
}

async function end(id: string): Promise<void> {
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error('the job has ended');
  await failJob(api.ctx, attempt, { status: 'FAILED', message: 'damaged', code: 'unprocessable' });
}

async function open(id: string, lastEventId?: string, method = 'GET'): Promise<Response> {
  const url = new URL(`/api/v2/requests/status/${id}/events`, api.ctx.env.PUBLIC_URL);
  const headers = {
    authorization: `Bearer ${api.apiKey}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  return await handleApi(api.ctx, new Request(url, { method, headers }));
}

/** Reads the name, id and status of each event of an ended job. */
async function readAll(response: Response) {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event:'));
  return blocks.map((block) => {
    const [, name, id, data = '{}'] = /^event: (\S+)\nid: (\S+)\ndata: (.*)$/.exec(block) ?? [];
    return { name, id: String(id), status: JSON.parse(data).status };
  });
}

it('gives a first connection to an ended job its last event, and a reconnect with its id 204', async () => {
  const id = await submit();
  await end(id);
  const [last, ...more] = await readAll(await open(id));
  expect([last, more]).toEqual([{ name: 'job', id: expect.any(String), status: 'FAILED' }, []]);
  const again = await open(id, last?.id);
  expect([again.status, await again.text()]).toEqual([204, '']);
  expect((await open(id, last?.id, 'HEAD')).status).toBe(204);
});

it('gives a reconnect with an older id what it missed', async () => {
  const id = await submit();
  const reader = (await open(id)).body?.pipeThrough(new TextDecoderStream()).getReader();
  const [, older] = /\nid: (\S+)\n/.exec((await reader?.read())?.value ?? '') ?? [];
  await reader?.cancel();
  await end(id);
  expect(await readAll(await open(id, older))).toMatchObject([{ name: 'job', status: 'FAILED' }]);
  expect(await readAll(await open(id, 'of another version'))).toMatchObject([{ status: 'FAILED' }]);
});

it('does not repeat the state that a reconnect knows', async () => {
  const id = await submit();
  const first = (await open(id)).body?.pipeThrough(new TextDecoderStream()).getReader();
  const [, known] = /\nid: (\S+)\n/.exec((await first?.read())?.value ?? '') ?? [];
  await first?.cancel();
  const second = (await open(id, known)).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await second?.read())?.value).toMatch(/^: /);
  await end(id);
  expect((await second?.read())?.value).toContain('"status":"FAILED"');
});

it('lets a standard EventSource end with its job', async () => {
  const id = await submit();
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent();
  requests.length = 0;
  const source = new EventSource(`http://127.0.0.1:${port}/api/v2/requests/status/${id}/events`, {
    node: { dispatcher, reconnectionTime: 10 },
  });
  const statuses: string[] = [];
  source.addEventListener('job', (event) => {
    if ('data' in event) statuses.push(JSON.parse(String(event.data)).status);
  });
  await expect.poll(() => statuses).toEqual(['QUEUED']);
  await end(id);
  await expect.poll(() => source.readyState).toBe(source.CLOSED);
  expect(statuses.at(-1)).toBe('FAILED');
  expect(requests).toEqual([undefined, expect.stringMatching(/-FAILED$/)]);
  await dispatcher.close();
});
