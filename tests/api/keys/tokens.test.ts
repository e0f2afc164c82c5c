import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openSandbox } from '../../../server/identity/accounts/index.ts';
import {
  authenticateKey,
  issueKey,
  type NewKey,
  purgeTokens,
  revokeKey,
} from '../../../server/identity/keys/index.ts';
import { cancelJob } from '../../../server/jobs/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

type Headers = Record<string, string>;
const keyHeaders = (apiKey: string): Headers => ({ 'ocp-apim-subscription-key': apiKey });
const issue = async (more: Partial<NewKey> = {}) => {
  const issued = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'parent', ...more });
  return { ...issued, headers: keyHeaders(issued.apiKey) };
};
const call = (method: string, path: string, headers: Headers, body?: unknown) =>
  api.call(method, `/api${path}`, { headers, ...(body !== undefined && { body }) });
const make = (headers: Headers, more: object = {}) =>
  call('POST', '/v2/tokens', headers, { max_usd: '0.01', expires_in_seconds: 60, ...more });
const makeHeaders = async (headers: Headers, more: object = {}): Promise<Headers> =>
  keyHeaders((await make(headers, more)).body.token);
const convert = (headers: Headers, more: object = {}) =>
  call('POST', '/media-tools/v1/image-convert', headers, {
    image_url: api.imageUrl,
    to_format: 'webp',
    ...more,
  });

describe('POST /v2/tokens', () => {
  it('returns 201 with the token, as OpenAPI says', async () => {
    const response = await make(keyHeaders(api.apiKey), { operations: ['upscale'] });
    expect([response.status, response.body]).toEqual([
      201,
      {
        token: expect.stringMatching(/^mk_tok_[\w-]{51}$/),
        token_id: expect.any(String),
        operations: ['upscale'],
        max_usd: '0.01',
        expires_at: expect.any(String),
      },
    ]);
    const seconds = (Date.parse(response.body.expires_at) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await createConformanceCheck(api))('POST', '/v2/tokens', response)).toEqual([]);
  });

  it.each([
    ['max_usd', { max_usd: '0' }],
    ['max_usd', { max_usd: 1 }],
    ['max_usd', { max_usd: '-1' }],
    ['expires_in_seconds', { expires_in_seconds: 59 }],
    ['expires_in_seconds', { expires_in_seconds: 3601 }],
    ['operations', { operations: [] }],
    ['operations', { operations: ['none'] }],
    ['name', { name: 'x' }],
  ])('returns 400 that names %s for %o', async (field, more) => {
    const { status, body } = await make(keyHeaders(api.apiKey), more);
    expect([status, body.field]).toEqual([400, field]);
  });

  it('returns 403 for an operation that the key lacks', async () => {
    const { headers } = await issue({ operations: ['upscale'] });
    const { status, body } = await make(headers, { operations: ['upscale', 'remove-bg'] });
    expect([status, body.field]).toEqual([403, 'operations']);
    expect((await make(headers)).body.operations).toEqual(['upscale']);
  });

  it('returns 429 for the 101st that works', async () => {
    const { headers } = await issue();
    const made = await Promise.all(Array.from({ length: 101 }, () => make(headers)));
    expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(100).fill(201), 429]);
    const { token_id } = made.find(({ status }) => status === 201)?.body ?? {};
    expect((await call('DELETE', `/v2/tokens/${token_id}`, headers)).status).toBe(204);
    expect((await make(headers)).status).toBe(201);
  });

  it('ends no later than its key', async () => {
    const expiresAt = new Date(Date.now() + 120_000);
    const { headers } = await issue({ expiresAt });
    const { body } = await make(headers, { expires_in_seconds: 3600 });
    expect(body.expires_at).toBe(expiresAt.toISOString());
  });
});

describe('a token', () => {
  it('uploads, submits, reads, lists and cancels its own alone', async () => {
    const parent = await issue({ monthlyCap: 1_000_000n });
    const [token, sibling] = [await makeHeaders(parent.headers), await makeHeaders(parent.headers)];
    const { upload_id, upload_url } = (await call('POST', '/uploads', token, Buffer.from('bytes'))).body;
    const own = (await convert(token)).body.request_id;
    const foreign = (await convert(parent.headers)).body.request_id;
    const ids = async (headers: Headers) =>
      (await call('GET', '/v2/requests', headers)).body.requests.map(
        (job: { request_id: string }) => job.request_id,
      );
    expect(await ids(token)).toEqual([own]);
    expect(await ids(parent.headers)).toEqual([foreign, own]);
    expect(await ids(sibling)).toEqual([]);
    for (const headers of [token, parent.headers]) {
      expect((await call('GET', `/v2/requests/status/${own}`, headers)).status).toBe(200);
      expect((await call('GET', '/uploads', headers)).body.uploads).toMatchObject([{ upload_id }]);
    }
    for (const [headers, id] of [
      [token, foreign],
      [sibling, own],
    ] as const) {
      expect((await call('GET', `/v2/requests/status/${id}`, headers)).status).toBe(404);
      expect((await call('DELETE', `/v2/requests/${id}`, headers)).status).toBe(404);
    }
    expect((await convert(sibling, { image_url: upload_url })).body.code).toBe('unfetchable');
    expect((await call('DELETE', `/v2/requests/${own}`, token)).status).toBe(200);
    expect((await call('DELETE', `/uploads/${upload_id}`, token)).status).toBe(204);
    const quote = {
      model_id: 'media-convert-image',
      request: { image_url: api.imageUrl, to_format: 'webp' },
    };
    expect((await call('POST', '/v2/quotes', token, quote)).status).toBe(200);
  });

  it('spends at most its limit, and counts for the cap of its key', async () => {
    const parent = await issue({ monthlyCap: 6_000n });
    const token = await makeHeaders(parent.headers, { max_usd: '0.004' });
    const jobs = [await convert(token), await convert(token)];
    const [{ body: first }] = jobs as [(typeof jobs)[0]];
    expect(await convert(token)).toMatchObject({ status: 402, body: { code: 'insufficient_balance' } });
    expect((await call('GET', '/v2/wallet', token)).body).toEqual({
      cap_usd: '0.004',
      spent_usd: '0.004',
      available_usd: '0.00',
    });
    expect((await call('GET', '/v2/wallet', parent.headers)).body).toMatchObject({ spent_usd: '0.004' });
    const sibling = await makeHeaders(parent.headers, { max_usd: '1' });
    expect((await convert(sibling)).status).toBe(202);
    // The key's own cap.
    expect((await convert(sibling)).status).toBe(402);
    await cancelJob(api.ctx, { accountId: api.accountId, id: first.request_id });
    expect((await call('GET', '/v2/wallet', token)).body).toMatchObject({ available_usd: '0.002' });
    expect((await convert(token)).status).toBe(202);
  });

  it('has the rate limit of its key', async () => {
    const parent = await issue();
    const { token } = (await make(parent.headers)).body;
    expect(await authenticateKey(api.ctx.db, token)).toMatchObject({ rateId: parent.keyId });
  });

  it.each([
    ['POST', '/v2/tokens', { max_usd: '0.01', expires_in_seconds: 60 }],
    ['DELETE', '/v2/tokens/x', undefined],
    ['POST', '/v2/worker/claims', {}],
  ])('may not use %s %s: 403', async (method, path, body) => {
    const token = await makeHeaders(keyHeaders(api.apiKey));
    expect(await call(method, path, token, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('may not use /mcp, webhooks and self-hosted workers, nor other operations: 403', async () => {
    const token = await makeHeaders(keyHeaders(api.apiKey), { operations: ['media-convert-image'] });
    const bearer = { authorization: `Bearer ${token['ocp-apim-subscription-key']}` };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    expect((await api.call('POST', '/mcp', { headers: bearer, body: initialize })).status).toBe(403);
    const hook = await convert({ ...token, 'x-webhook-url': 'http://127.0.0.1/hook' });
    expect([hook.status, hook.body.field]).toEqual([403, 'X-Webhook-URL']);
    const own = await convert(token, { run_on: 'own' });
    expect([own.status, own.body.field]).toEqual([403, 'run_on']);
    expect((await call('POST', '/v1/remove-bg', token, { image_url: api.imageUrl })).status).toBe(403);
  });

  it('ends by DELETE, by its expiry and with its key: 401', async () => {
    const parent = await issue();
    const made = (await make(parent.headers)).body;
    const tokens = [
      keyHeaders(made.token),
      await makeHeaders(parent.headers),
      await makeHeaders(parent.headers),
    ];
    const status = async (headers: Headers) => (await call('GET', '/v2/wallet', headers)).status;
    const stranger = await issue({ operations: ['upscale'] });
    expect((await call('DELETE', `/v2/tokens/${made.token_id}`, stranger.headers)).status).toBe(404);
    expect((await call('DELETE', `/v2/tokens/${made.token_id}`, parent.headers)).status).toBe(204);
    expect((await call('DELETE', `/v2/tokens/${made.token_id}`, parent.headers)).status).toBe(204);
    expect(await Promise.all(tokens.map(status))).toEqual([401, 200, 200]);
    await revokeKey(api.ctx.db, { accountId: api.accountId, keyId: parent.keyId });
    expect(await Promise.all(tokens.map(status))).toEqual([401, 401, 401]);
    const other = await makeHeaders(keyHeaders(api.apiKey));
    await api.ctx.db.update(schema.tokens).set({ expiresAt: sql`now() - interval '2 days'` });
    expect(await status(other)).toBe(401);
    expect(await purgeTokens(api.ctx.db)).toBeGreaterThan(0);
    expect(await status(other)).toBe(401);
  });

  it('of a test key is a test', async () => {
    const accountId = await openSandbox(api.ctx.db, api.accountId);
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'test' });
    const token = await makeHeaders(keyHeaders(apiKey));
    const { request_id } = (await convert(token)).body;
    const [job] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, request_id));
    expect(job).toMatchObject({ isTest: true, held: 0n });
  });
});
