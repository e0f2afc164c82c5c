import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, type NewKey, rotateKey } from '../../../server/identity/keys/index.ts';
import { claimJob, completeJob } from '../../../server/jobs/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createOwnWorker } from '../../support/service/own-worker.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

type Headers = Record<string, string>;

const OPERATION = 'media-convert-image';

async function issue(more: Partial<NewKey>): Promise<{ keyId: string; headers: Headers }> {
  const { keyId, apiKey } = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'one', ...more });
  return { keyId, headers: { 'ocp-apim-subscription-key': apiKey } };
}

/** Sends a conversion with the account's unlimited key, or with another one. @returns its request_id */
async function send(headers: Headers): Promise<string> {
  const { status, body } = await api.convert({ image_url: api.imageUrl, to_format: 'webp' }, headers);
  if (status !== 202) throw new Error(body.message);
  return body.request_id;
}

async function complete(id: string): Promise<void> {
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error(`${id} has ended`);
  await completeJob(api.ctx, attempt, { files: [], engine: 'codec', warnings: [] });
}

const get = (path: string, headers: Headers) => api.call('GET', `/api${path}`, { headers });
const listIds = async (headers: Headers) =>
  (await get('/v2/requests', headers)).body.requests.map((job: { request_id: string }) => job.request_id);

describe.each([
  ['operations', { operations: [OPERATION] }],
  ['a cap', { monthlyCap: 10_000n }],
] as const)('a key with %s', (_name, limits) => {
  it('sees its own requests: GET /v2/requests, and those of others are a 404', async () => {
    const { headers } = await issue(limits);
    const [own, other] = [await send(headers), await send({})];
    expect(await listIds(headers)).toEqual([own]);
    expect((await get(`/v2/requests/status/${own}`, headers)).status).toBe(200);
    for (const path of [`/v2/requests/status/${other}`, `/v2/requests/status/${other}/events`]) {
      expect(await get(path, headers)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const canceled = await api.call('DELETE', `/api/v2/requests/${other}`, { headers });
    expect(canceled).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await api.status(other)).body.status).toBe('QUEUED');
    expect((await api.call('DELETE', `/api/v2/requests/${own}`, { headers })).status).toBe(200);
  });

  it('sees its own charges: GET /v2/usage', async () => {
    const { keyId, headers } = await issue(limits);
    for (const id of [await send(headers), await send({})]) await complete(id);
    const { body } = await get('/v2/usage', headers);
    expect(body).toMatchObject({ charged_usd: '0.002', usage: [{ key_id: keyId, requests: 1 }] });
  });

  it('may not claim jobs of the account: POST /v2/worker/claims is a 403', async () => {
    const worker = createOwnWorker(api);
    const { headers } = await issue(limits);
    await worker.submit();
    expect(await worker.claim({}, headers)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const { claim_id, runs } = (await worker.claim()).body;
    for (const call of [
      get(runs[0].input.path, headers),
      worker.post(claim_id, 'progress', { progress: 0.5 }, headers),
      worker.giveBack(claim_id, headers),
    ]) {
      expect(await call).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    await worker.cancelAll();
  });

  it('sees what the key that it replaces has sent, and not the other way round', async () => {
    const former = await issue(limits);
    const before = await send(former.headers);
    const { apiKey } = await api.ctx.db.transaction((tx) =>
      rotateKey(tx, { accountId: api.accountId, keyId: former.keyId }, 1),
    );
    const headers = { 'ocp-apim-subscription-key': apiKey };
    const after = await send(headers);
    expect(await listIds(headers)).toEqual([after, before]);
    expect(await listIds(former.headers)).toEqual([before]);
    expect((await get(`/v2/requests/status/${before}`, headers)).status).toBe(200);
  });
});

describe('GET /v2/wallet', () => {
  it('shows a key with a cap what the cap leaves', async () => {
    const { headers } = await issue({ monthlyCap: 10_000n });
    await send(headers);
    const { status, body } = await get('/v2/wallet', headers);
    expect([status, body]).toEqual([200, { cap_usd: '0.01', spent_usd: '0.002', available_usd: '0.008' }]);
  });

  it('shows a key with operations and no cap null for it', async () => {
    const { headers } = await issue({ operations: [OPERATION] });
    const { body } = await get('/v2/wallet', headers);
    expect(body).toEqual({ cap_usd: null, spent_usd: '0.00', available_usd: null });
  });

  it('shows a key that only expires the account, and lists all requests to it', async () => {
    const other = await send({});
    const { headers } = await issue({ expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await get('/v2/wallet', headers)).body).toHaveProperty('balance_usd');
    expect(await listIds(headers)).toContain(other);
  });
});

describe('a key with the permission worker', () => {
  it('claims jobs of all keys, and may do nothing else', async () => {
    const worker = createOwnWorker(api);
    const { headers } = await issue({ permissions: ['worker'] });
    const id = await worker.submit();
    const claimed = await worker.claim({}, headers);
    expect(claimed).toMatchObject({ status: 200, body: { request_id: id } });
    const { claim_id, runs } = claimed.body;
    expect((await get(runs[0].input.path, headers)).status).toBe(200);
    expect((await worker.giveBack(claim_id, headers)).status).toBe(204);
    for (const path of ['/v2/requests', `/v2/requests/status/${id}`, '/v2/usage', '/v2/wallet']) {
      expect(await get(path, headers)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    const body = { image_url: api.imageUrl, to_format: 'webp' };
    expect(await api.convert(body, headers)).toMatchObject({ status: 403 });
    await worker.cancelAll();
  });
});
