import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { claimJob, completeJob, failJob } from '../../../server/jobs/index.ts';
import { reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
const ids: string[] = [];
beforeAll(async () => {
  api = await startApi({ SYNC_TIMEOUT_SECONDS: '1' });
  getFaults = await createConformanceCheck(api);
  for (const to_format of ['webp', 'png', 'jpg', 'gif']) {
    ids.push((await api.convert({ image_url: api.imageUrl, to_format })).body.request_id);
  }
  ids.push((await api.removeBg({ image_url: `${api.files.url}/subject.png` })).body.request_id);
  const attempt = await claimJob(api.ctx.db, ids[0] ?? '');
  if (attempt) await failJob(api.ctx, attempt, { status: 'FAILED', message: 'damaged' });
});
afterAll(() => api.close());

const call = (method: string, path: string) =>
  api.call(method, path, { headers: { authorization: `Bearer ${api.apiKey}` } });
const list = (query = '') => call('GET', `/api/v2/requests${query}`);
const getIds = ({ body }: { body: { requests: { request_id: string }[] } }) =>
  body.requests.map(({ request_id }) => request_id);

async function complete(id: string): Promise<void> {
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error(`${id} has ended`);
  const file = { name: 'a.png', mediaType: 'image/png', bytes: 3, sha256: Buffer.alloc(32) };
  const files = [{ ...file, key: `outputs/${id}/1/a.png` }];
  await completeJob(api.ctx, attempt, { files, engine: 'test', warnings: [] });
}

describe('GET /v2/requests returns 200', () => {
  it('with the requests of the account, newest first, as documented', async () => {
    const response = await list();
    expect(response.status).toBe(200);
    expect(getFaults('GET', '/v2/requests', response)).toEqual([]);
    expect(getIds(response)).toEqual(ids.toReversed());
    expect(response.body.requests[0]).not.toHaveProperty('output');
    expect(response.body.next_cursor).toBeNull();
  });

  it('page by page, each request once', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.body.requests.length).toBeLessThanOrEqual(2);
      seen.push(...getIds(page));
      cursor = page.body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  it('with those of a state, an operation or a time', async () => {
    expect(getIds(await list('?status=FAILED'))).toEqual(ids.slice(0, 1));
    expect(getIds(await list('?status=FAILED,QUEUED'))).toHaveLength(5);
    expect(getIds(await list('?operation=remove-bg'))).toEqual(ids.slice(4));
    expect(getIds(await list('?operation=remove-bg,media-convert-image'))).toEqual(ids.toReversed());
    expect(getIds(await list('?operation=remove-bg-batch'))).toEqual([]);
    expect(await list('?operation=remove-bg,cutout')).toMatchObject({
      status: 400,
      body: { field: 'operation', message: expect.stringContaining('remove-bg-batch') },
    });
    const { requests } = (await list()).body;
    const { created_at: third } = requests[2];
    const since = requests.filter(({ created_at }: { created_at: string }) => created_at >= third);
    expect(getIds(await list(`?from=${third}`))).toHaveLength(since.length);
    expect(getIds(await list(`?to=${third}`))).toHaveLength(5 - since.length);
  });
});

describe('GET /v2/requests returns 400', () => {
  it.each([
    ['status=DONE', 'status'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['from=yesterday', 'from'],
    ['from=0000-01-01T00:00:00Z', 'from'],
    ['cursor=abc', 'cursor'],
    [`cursor=${Buffer.from('["0000-01-01T00:00:00.000Z","a"]').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('["2026-01-01T00:00:00.000Z","\\u0000"]').toString('base64url')}`, 'cursor'],
    ['limit=2&limit=3', 'query'],
    ['account=1', 'account'],
  ])('for %s', async (query, field) => {
    const response = await list(`?${query}`);
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(new RegExp(`^${field}: `));
    expect(getFaults('GET', '/v2/requests', response)).toEqual([]);
  });
});

describe('DELETE /v2/requests/{request_id}', () => {
  it('returns 200, ends the job with `canceled` and releases its hold', async () => {
    const id = ids[1] ?? '';
    const held = async () => Number((await call('GET', '/api/v2/wallet')).body.held_usd);
    const before = await held();
    const response = await call('DELETE', `/api/v2/requests/${id}`);
    expect(response.status).toBe(200);
    expect(getFaults('DELETE', '/v2/requests/{request_id}', response)).toEqual([]);
    expect(response.body).toMatchObject({
      request_id: id,
      status: 'FAILED',
      error: 'canceled',
      output: null,
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    expect(await held()).toBeCloseTo(before - 0.002, 6);
    expect(await api.ctx.db.query.queueEntries.findMany()).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  });

  it('returns 409 for a job that has ended', async () => {
    const response = await call('DELETE', `/api/v2/requests/${ids[0]}`);
    expect(response.status).toBe(409);
    expect(getFaults('DELETE', '/v2/requests/{request_id}', response)).toEqual([]);
  });

  it('returns 404 to a key with limits that has not sent the request', async () => {
    const { accountId } = api;
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'cutouts', operations: ['remove-bg'] });
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await api.call('DELETE', `/api/v2/requests/${ids[2]}`, { headers });
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await api.status(ids[2] ?? '')).body.status).toBe('QUEUED');
  });

  it('counts as a failed run of the account', async () => {
    const before = await api.ctx.db.select().from(schema.failureBudgets);
    await call('DELETE', `/api/v2/requests/${ids[3]}`);
    const after = await api.ctx.db.select().from(schema.failureBudgets);
    expect(after[0]?.spent).toBeGreaterThan(before[0]?.spent ?? 0);
  });
});

describe('GET /v2/usage', () => {
  it('returns 200 with the charges of the last days by day, operation and key', async () => {
    await complete(ids[2] ?? '');
    await complete(ids[4] ?? '');
    const response = await call('GET', '/api/v2/usage');
    expect(response.status).toBe(200);
    expect(getFaults('GET', '/v2/usage', response)).toEqual([]);
    expect(response.body).toMatchObject({
      charged_usd: '0.012',
      usage: [
        { model_id: 'media-convert-image', requests: 1, charged_usd: '0.002' },
        { model_id: 'remove-bg', requests: 1, charged_usd: '0.01' },
      ],
    });
  });

  it('returns no charges for days without any', async () => {
    const response = await call('GET', '/api/v2/usage?from=2020-01-01&to=2020-12-31');
    expect(response.body).toEqual({ from: '2020-01-01', to: '2020-12-31', charged_usd: '0.00', usage: [] });
  });

  it('returns 400 that shows how a date is written', async () => {
    const { status, body } = await call('GET', '/api/v2/usage?from=yesterday');
    expect([status, body.message]).toEqual([400, 'from: must be a date, such as 2026-01-31.']);
  });

  it('returns 400 that shows how a time is written', async () => {
    const { status, body } = await call('GET', '/api/v2/requests?from=2026-01-31');
    expect([status, body.message]).toEqual([
      400,
      'from: must be a time with its zone, such as 2026-01-31T09:00:00Z.',
    ]);
  });

  it.each([
    'from=2020-01-01&to=2019-12-31',
    'from=2020-01-01&to=2021-01-01',
    'from=0000-01-01&to=0000-01-01',
  ])('returns 400 for %s', async (query) => {
    const response = await call('GET', `/api/v2/usage?${query}`);
    expect(response.status).toBe(400);
    expect(getFaults('GET', '/v2/usage', response)).toEqual([]);
  });
});
