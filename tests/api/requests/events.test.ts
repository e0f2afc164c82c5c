import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { isAlive } from '../../../server/base/is-alive.ts';
import { claimJob, failJob, reportProgress } from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({}, '1', {
    operations: OPERATIONS,
    module: new URL('../../support/operations/test-operations.ts', import.meta.url),
  });
});
afterAll(() => api.close());

const submit = async (params: object): Promise<string> =>
  (await api.post('/test', { file_url: api.imageUrl, ...params })).body.request_id;

async function open(id: string, signal: AbortSignal | null = null, method = 'GET'): Promise<Response> {
  const url = new URL(`/api/v2/requests/status/${id}/events`, api.ctx.env.PUBLIC_URL);
  const headers = { authorization: `Bearer ${api.apiKey}` };
  return await handleApi(api.ctx, new Request(url, { method, headers, signal }));
}

/** Reads the next event's job; undefined at the end. */
function eventsOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return async () => {
    const { value } = (await reader?.read()) ?? {};
    const [, data] = /^event: job\nid: \S+\ndata: (.*)\n\n$/.exec(value ?? '') ?? [];
    return data && JSON.parse(data);
  };
}

it('streams state and progress until the job has ended, then closes', async () => {
  const id = await submit({ behaviour: 'copy' });
  const response = await open(id);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const next = eventsOf(response);
  expect(await next()).toMatchObject({ request_id: id, status: 'QUEUED', progress: 0 });
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error('the job has ended');
  expect(await next()).toMatchObject({ status: 'PROCESSING' });
  await reportProgress(api.ctx.db, attempt, 0.5);
  expect(await next()).toMatchObject({ status: 'PROCESSING', progress: 0.5 });
  await failJob(api.ctx, attempt, { status: 'FAILED', message: 'damaged' });
  expect(await next()).toMatchObject({ status: 'FAILED', error: 'damaged' });
  expect(await next()).toBeUndefined();
});

it('bounds the streams of an account, and frees a place when a client leaves', async () => {
  const id = await submit({ behaviour: 'copy' });
  const clients = Array.from({ length: 16 }, () => new AbortController());
  const responses = await Promise.all(clients.map(({ signal }) => open(id, signal)));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect((await open(id)).status).toBe(429);
  for (const client of clients) client.abort();
  await expect.poll(async () => (await open(id, null, 'HEAD')).status).toBe(200);
});

it('takes no place for an unknown job', async () => {
  for (let request = 0; request < 20; request++) expect((await open('test-run_0')).status).toBe(404);
});

it('stops the run of a canceled job', { tags: ['long'] }, async () => {
  await api.startRunner();
  const mark = join(api.ctx.env.DATA_DIR, 'mark');
  const id = await submit({ behaviour: 'slow', durationMs: 600_000, mark });
  await expect.poll(() => existsSync(mark)).toBe(true);
  const runPid = Number(await readFile(mark, 'utf8'));
  expect(isAlive(runPid)).toBe(true);
  const headers = { authorization: `Bearer ${api.apiKey}` };
  const { body } = await api.call('DELETE', `/api/v2/requests/${id}`, { headers });
  expect(body).toMatchObject({ status: 'FAILED', error: 'canceled' });
  await expect.poll(() => isAlive(runPid)).toBe(false);
  expect((await api.status(id)).body).toMatchObject({ status: 'FAILED', error: 'canceled' });
});
