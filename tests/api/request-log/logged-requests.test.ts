import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import type { ProblemBody } from '../../../server/api/transport/problem.ts';
import { schema } from '../../../server/base/database/db.ts';
import { revokeKey } from '../../../server/identity/keys/index.ts';
import { openRequestLog } from '../../../server/identity/request-log/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { startSandbox } from '../../support/service/sandbox.ts';
import { openSignedInBrowser } from '../../support/service/sign-in.ts';

const CONVERT = '/api/media-tools/v1/image-convert';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

/** Returns what was logged since the last look, in the order of the requests. */
async function logged() {
  await openRequestLog(api.ctx).flush();
  const { loggedRequests } = schema;
  const rows = await api.ctx.db.select().from(loggedRequests).orderBy(asc(loggedRequests.id));
  await api.ctx.db.delete(loggedRequests);
  return rows;
}

it('a request with a key is logged with its job, its JSON in short, and from where it came', async () => {
  const headers = {
    'idempotency-key': 'order-1',
    'user-agent': 'curl/8',
    'x-client-address': '203.0.113.7',
  };
  const body = { image_url: api.imageUrl, to_format: 'webp', reference: 'shop' };
  const response = await api.convert(body, headers);
  expect(response.status).toBe(202);
  const [key] = await api.ctx.db.select().from(schema.apiKeys);
  const [row, ...others] = await logged();
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    accountId: api.accountId,
    keyId: key?.id,
    method: 'POST',
    path: CONVERT,
    status: 202,
    requestId: response.headers.get('x-request-id'),
    jobId: response.body.request_id,
    operationId: 'media-convert-image',
    address: '203.0.113.7',
    userAgent: 'curl/8',
    idempotencyKey: 'order-1',
    body,
    problem: null,
  });
  expect(row?.durationMs).toBeGreaterThan(0);
  expect(Math.abs(Date.now() - (row?.createdAt.getTime() ?? 0))).toBeLessThan(600_000);
  await api.status(response.body.request_id);
  await api.convert(body, headers);
  expect((await logged()).map(({ method, jobId }) => [method, jobId])).toEqual([
    ['GET', response.body.request_id],
    ['POST', response.body.request_id],
  ]);
});

it('a refused request is logged with its response, and the response is whole', async () => {
  const image_url = `${api.imageUrl}?signature=5f`;
  const { status, body, headers } = await api.convert({ image_url, to_format: 'webp' });
  expect([status, body.code]).toEqual([400, 'unfetchable']);
  const [row] = await logged();
  const shown = { image_url: `${api.imageUrl}?[redacted]`, to_format: 'webp' };
  expect(row).toMatchObject({ status: 400, jobId: null, body: shown, problem: body });
  expect(row?.requestId).toBe(headers.get('x-request-id'));
});

it('no byte of a file is logged, and no text that is not JSON', async () => {
  await api.removeBg({ image_b64: Buffer.from('the bytes of a picture').toString('base64') });
  await api.convert('{"image_url": "the secret text');
  await api.upload(new Uint8Array([1, 2, 3]));
  await api.removeBgBatch({ items: [{ image_b64: 'QUJD' }] });
  const rows = await logged();
  expect(rows.map(({ body }) => body)).toEqual([
    { image_b64: '[left out: 32 characters]' },
    null,
    null,
    { items: [{ image_b64: '[left out: 4 characters]' }] },
  ]);
  expect(JSON.stringify(rows.map(({ id, ...row }) => row))).not.toContain('secret text');
});

it('quotes are logged, and a job’s cancellation by its id', async () => {
  const { body: job } = await api.convert({ image_url: api.imageUrl, to_format: 'png' });
  await api.post('/v2/quotes', { model_id: 'media-convert-image', request: { image_url: api.imageUrl } });
  const own = { authorization: `Bearer ${api.apiKey}` };
  await api.call('DELETE', `/api/v2/requests/${job.request_id}`, { headers: own });
  const [, quote, cancellation] = await logged();
  expect(quote).toMatchObject({ path: '/api/v2/quotes', body: { model_id: 'media-convert-image' } });
  expect(cancellation).toMatchObject({ method: 'DELETE', status: 200, jobId: job.request_id });
});

it('a request with a key that no route takes is logged with its response, and counts for the rate of the key', async () => {
  const headers = { authorization: `Bearer ${api.apiKey}` };
  const mistyped = await api.call('GET', '/api/v2/walet', { headers });
  const otherMethod = await api.call('DELETE', '/api/v2/wallet', { headers });
  expect([mistyped.status, mistyped.body.code]).toEqual([404, 'not_found']);
  expect(otherMethod.headers.get('allow')).toBe('GET');
  expect(mistyped.headers.get('ratelimit-limit')).toBe('1000');
  expect(await logged()).toMatchObject([
    { accountId: api.accountId, path: '/api/v2/walet', status: 404, jobId: null, problem: mistyped.body },
    { method: 'DELETE', path: '/api/v2/wallet', status: 405, problem: otherMethod.body },
  ]);
});

it.each(['//api/v2/wallet', '/api//v2/wallet', '/api/v2/wallet/'])(
  'a request with a key to %s is logged as no path of ours',
  async (path) => {
    const headers = { authorization: `Bearer ${api.apiKey}` };
    // Built as an absolute URL: two slashes at its beginning would name a host.
    const response = await handleApi(api.ctx, new Request(`http://localhost${path}`, { headers }));
    const body = (await response.json()) as ProblemBody;
    expect([response.status, body.message]).toEqual([
      404,
      `There is nothing at ${path}. GET /api/openapi.json lists what is.`,
    ]);
    expect(await logged()).toMatchObject([{ accountId: api.accountId, path, status: 404, problem: body }]);
  },
);

it('a request without a valid key writes nothing', async () => {
  const body = { image_url: api.imageUrl, to_format: 'webp' };
  await api.call('POST', CONVERT, { body });
  await api.convert(body, { 'ocp-apim-subscription-key': 'mk_unknown' });
  await api.call('GET', '/api/nothing');
  const nothing = await api.call('GET', '/api/nothing', { headers: { authorization: 'Bearer mk_unknown' } });
  expect(nothing.status).toBe(404);
  await api.call('GET', '/api/health');
  await api.call('PATCH', '/api/v2/uploads/unknown');
  const sandbox = await startSandbox(api);
  const [key] = await api.ctx.db
    .select()
    .from(schema.apiKeys)
    .where(eq(schema.apiKeys.accountId, sandbox.accountId));
  await revokeKey(api.ctx.db, { accountId: sandbox.accountId, keyId: key?.id ?? '' });
  expect((await sandbox.get('/v2/wallet')).status).toBe(401);
  expect(await logged()).toEqual([]);
});

it('requests with a test key are apart from the live ones', async () => {
  const sandbox = await startSandbox(api);
  await sandbox.get('/v2/wallet');
  expect((await logged()).map(({ accountId }) => accountId)).toEqual([sandbox.accountId]);
});

it('a session is logged without a key; with the header of the test mode it acts as a test key does', async () => {
  const owner = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
  const own = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' };
  const body = { image_url: api.imageUrl, to_format: 'webp' };
  const live = await api.call('POST', CONVERT, { body, headers: own });
  const test = await api.call('POST', CONVERT, { body, headers: { ...own, 'x-darkroom-mode': 'test' } });
  expect([live.status, test.status]).toEqual([202, 202]);
  const { accountId } = await startSandbox(api);
  const rows = await logged();
  expect(rows.map((row) => [row.accountId, row.keyId, row.jobId])).toEqual([
    [api.accountId, null, live.body.request_id],
    [accountId, null, test.body.request_id],
  ]);
  const [job] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, test.body.request_id));
  expect(job).toMatchObject({ accountId, held: 0n });
  // Its stream of events lasts: the person belongs to the account of the tests.
  const inTests = { headers: { ...own, 'x-darkroom-mode': 'test' } };
  const path = `/api/v2/requests/status/${test.body.request_id}/events`;
  const events = api.call('GET', path, inTests);
  await new Promise((next) => setTimeout(next, 1_500));
  await api.call('DELETE', `/api/v2/requests/${test.body.request_id}`, inTests);
  expect((await events).body).toContain('"status":"FAILED"');
  await logged();
});

it('REQUEST_LOG_DAYS=0 keeps nothing', async () => {
  const off = { ...api.ctx, env: { ...api.ctx.env, REQUEST_LOG_DAYS: 0 } };
  const request = new Request('http://localhost:3000/api/v2/wallet', {
    headers: { authorization: `Bearer ${api.apiKey}` },
  });
  expect((await handleApi(off, request)).status).toBe(200);
  expect(await logged()).toEqual([]);
});
