import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../../../server/identity/keys/index.ts';
import { openRequestLog } from '../../../../server/identity/request-log/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

const CONVERT = '/api/media-tools/v1/image-convert';

/** Opens the dashboard of an account that has sent four requests, oldest first: a job, a refusal, and two reads. */
async function openUsed(name: string) {
  const { accountId, call } = await openDashboard(api, name);
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'shop' });
  const headers = { 'ocp-apim-subscription-key': apiKey };
  const send = async (method: string, path: string, body?: object) => {
    const response = await api.call(method, path, { headers, ...(body && { body }) });
    await openRequestLog(api.ctx).flush();
    return response;
  };
  const job = await send('POST', CONVERT, { image_url: api.imageUrl, to_format: 'webp' });
  const refused = await send('POST', CONVERT, { image_url: api.imageUrl, to_format: 'none' });
  await send('GET', `/api/v2/requests/status/${job.body.request_id}`);
  await send('GET', '/api/v2/wallet');
  return { call, job, refused, apiKey };
}

test('requests.list has the newest first, page by page, with the key, the job and what was wrong', async () => {
  const { call, job, apiKey } = await openUsed('list@example.com');
  const first = await call.requests.list({ limit: 3 });
  expect(first.requests).toMatchObject([
    { method: 'GET', path: '/api/v2/wallet', status: 200, code: null },
    { method: 'GET', jobId: job.body.request_id },
    { method: 'POST', status: 400, code: 'bad_request', message: expect.stringContaining('to_format') },
  ]);
  expect(first.requests[0]?.key).toEqual({ name: 'shop', prefix: apiKey.slice(0, 11) });
  const { requests, next } = await call.requests.list({ limit: 3, cursor: first.next });
  expect(requests).toMatchObject([{ method: 'POST', status: 202, modelId: 'media-convert-image' }]);
  expect(next).toBeNull();
});

test('requests.list finds by status, method, ids, a part of the path and time', async () => {
  const { call, job, refused } = await openUsed('found@example.com');
  const statuses = async (filter: Parameters<typeof call.requests.list>[0]) =>
    (await call.requests.list(filter)).requests.map(({ status }) => status);
  expect(await statuses({ statusClass: '4xx' })).toEqual([400]);
  expect(await statuses({ statusClass: '5xx' })).toEqual([]);
  expect(await statuses({ method: 'POST' })).toEqual([400, 202]);
  expect(await statuses({ search: job.body.request_id })).toEqual([200, 202]);
  expect(await statuses({ search: refused.headers.get('x-request-id') ?? '' })).toEqual([400]);
  expect(await statuses({ search: 'v2/wallet' })).toEqual([200]);
  expect(await statuses({ search: '%' })).toEqual([]);
  const now = Date.now();
  expect(await statuses({ from: new Date(now + 60_000).toISOString() })).toEqual([]);
  expect(await statuses({ from: new Date(now - 600_000).toISOString(), method: 'POST' })).toEqual([400, 202]);
  expect(await statuses({ to: new Date(now - 600_000).toISOString() })).toEqual([]);
});

test('requests.get has the JSON in short and the response without success', async () => {
  const { call, refused } = await openUsed('one@example.com');
  const [found] = (await call.requests.list({ statusClass: '4xx' })).requests;
  const request = await call.requests.get({ id: found?.id ?? '' });
  expect(JSON.parse(request.body ?? '')).toEqual({ image_url: api.imageUrl, to_format: 'none' });
  expect(JSON.parse(request.problem ?? '')).toEqual(refused.body);
  expect(request.isTest).toBe(false);
});

test.each(['x', '1.5', '9999999999999999999'])('the id %s of a request is refused', async (id) => {
  const { call } = await openDashboard(api, 'ids@example.com');
  await expect(call.requests.get({ id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(call.requests.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
