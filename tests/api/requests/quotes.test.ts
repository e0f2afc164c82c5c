import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { claimJob, completeJob } from '../../../server/jobs/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
beforeAll(async () => {
  api = await startApi();
  getFaults = await createConformanceCheck(api);
});
afterAll(() => api.close());

/** Asks for a quote, with a full bucket. */
async function quote(body: unknown, headers?: Record<string, string>) {
  await api.ctx.db.delete(schema.rateLimits);
  return await api.post('/v2/quotes', body, headers);
}
const conversion = (fields: object = {}) => ({
  model_id: 'media-convert-image',
  request: { image_url: api.imageUrl, to_format: 'webp', ...fields },
});

describe('POST /v2/quotes returns 200', () => {
  it('with the price, the engine and the facts, as documented, and charges nothing', async () => {
    const response = await quote({
      model_id: 'remove-bg',
      request: { image_url: `${api.files.url}/subject.png` },
    });
    expect(response.status).toBe(200);
    expect(getFaults('POST', '/v2/quotes', response)).toEqual([]);
    expect(response.body).toEqual({
      model_id: 'remove-bg',
      price_usd: '0.01',
      expected_seconds: null,
      engine: expect.any(String),
      facts: expect.objectContaining({ mediaType: 'image/png', width: 160, height: 120 }),
    });
    const { body: wallet } = await api.call('GET', '/api/v2/wallet', {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
    expect(wallet).toEqual({ balance_usd: '1.00', held_usd: '0.00', available_usd: '1.00' });
    expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  });

  it('without keeping the fetched file', async () => {
    expect((await quote(conversion())).body).toMatchObject({ price_usd: '0.002', engine: null });
    const keys: string[] = [];
    const later = new Date(Date.now() + 60_000);
    for await (const key of api.ctx.storage.list('inputs/', later)) keys.push(key);
    expect(keys).toEqual([]);
  });

  it('for an upload, which stays usable', async () => {
    const image = await fetch(api.imageUrl);
    const { body } = await api.upload(new Uint8Array(await image.arrayBuffer()));
    const request = { image_url: body.upload_url, to_format: 'webp' };
    expect((await quote({ model_id: 'media-convert-image', request })).status).toBe(200);
    expect((await api.convert(request)).status).toBe(202);
  });

  it('with the usual time once some runs have completed', async () => {
    for (let run = 0; run < 3; run++) {
      const { body } = await api.convert({ image_url: api.imageUrl, to_format: 'png' });
      const attempt = await claimJob(api.ctx.db, body.request_id);
      if (attempt) await completeJob(api.ctx, attempt, { files: [], engine: 'test', warnings: [] });
    }
    const { expected_seconds } = (await quote(conversion())).body;
    expect(expected_seconds).toBeGreaterThanOrEqual(0);
    expect(expected_seconds).toBeLessThan(60);
    const own = await quote(conversion({ run_on: 'own' }));
    expect(own.body).toMatchObject({ price_usd: '0.00', expected_seconds: null, engine: null });
  });
});

describe('POST /v2/quotes of a batch', () => {
  it('returns 200 with the price or the error of each item, in order, and their sum', async () => {
    const image_url = api.imageUrl;
    const items = [
      { image_url },
      { image_url: `${api.files.url}/missing.png` },
      { image_url, to_format: 'doc' },
      { image_url },
      { image_b64: Buffer.from(await (await fetch(image_url)).arrayBuffer()).toString('base64') },
    ];
    const request = { items, to_format: 'webp' };
    const response = await quote({ model_id: 'media-convert-image-batch', request });
    expect(getFaults('POST', '/v2/quotes', response)).toEqual([]);
    expect(response).toMatchObject({ status: 200 });
    expect(response.body).toEqual({
      model_id: 'media-convert-image-batch',
      price_usd: '0.004',
      items: [
        { price_usd: '0.002' },
        { error: expect.stringContaining('404'), code: 'unfetchable', field: 'items[1].image_url' },
        { error: expect.any(String), code: 'bad_request', field: 'items[2].to_format' },
        { price_usd: '0.00' },
        { price_usd: '0.002' },
      ],
    });
    expect(await quote({ model_id: 'remove-bg-batch', request: { items: [] } })).toMatchObject({
      status: 400,
      body: { field: 'items' },
    });
  });

  it('fetches an item that others repeat once, and counts each distinct item as a quote', async () => {
    const hits = () => api.files.hits.get('/sky.png') ?? 0;
    const before = hits();
    const repeated = Array(5).fill({ image_url: `${api.files.url}/sky.png` });
    const missing = Array.from({ length: 13 }, (_, at) => ({ image_url: `${api.files.url}/missing-${at}` }));
    const ask = (items: object[]) => ({
      model_id: 'media-convert-image-batch',
      request: { items, to_format: 'webp' },
    });
    expect(await quote(ask(repeated))).toMatchObject({ status: 200, body: { price_usd: '0.002' } });
    expect(hits()).toBe(before + 1);
    const left = async () => (await api.ctx.db.select().from(schema.rateLimits)).map(({ tokens }) => tokens);
    expect(await left()).toContain(11);
    expect((await quote(ask([...repeated, ...missing]))).status).toBe(200);
    const response = await api.post('/v2/quotes', conversion());
    expect(response.status).toBe(429);
    // One comes back every five seconds: three are missing, less those of the time that has passed.
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(15);
  });
});

describe('POST /v2/quotes refuses', () => {
  it.each([
    ['an unknown model', () => ({ ...conversion(), model_id: 'toString' }), /^Model 'toString'/],
    ['a wrong param', () => conversion({ to_format: 'doc' }), /^to_format: /],
    ['a file of another kind', () => conversion({ image_url: `${api.files.url}/note.txt` }), /^image_url: /],
    ['a missing request', () => ({ model_id: 'remove-bg' }), /^request: /],
  ])('%s with 400', async (_name, body, message) => {
    const response = await quote(body());
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(message);
    expect(getFaults('POST', '/v2/quotes', response)).toEqual([]);
  });

  it('categories that no available engine judges with 503, as the request itself would', async () => {
    const offline = await startApi({ MODELS_OFFLINE: '1' });
    const ask = (categories: string[]) => {
      const request = { image_url: `${offline.files.url}/subject.png`, categories };
      return offline.post('/v2/quotes', { model_id: 'image-moderation', request });
    };
    try {
      expect(await ask(['Sexual'])).toMatchObject({ status: 200, body: { engine: 'nsfw-mobilenet' } });
      const response = await ask(['Sexual', 'Hate']);
      expect(response.status).toBe(503);
      expect(getFaults('POST', '/v2/quotes', response)).toEqual([]);
    } finally {
      await offline.close();
    }
  });

  it('a key without the operation with 403', async () => {
    const { accountId } = api;
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'cutouts', operations: ['remove-bg'] });
    const headers = { authorization: `Bearer ${apiKey}`, 'ocp-apim-subscription-key': apiKey };
    expect((await quote(conversion(), headers)).status).toBe(403);
    const items = [
      { image_url: api.imageUrl, steps: [{ id: 'a', operation: 'convert', params: { to_format: 'png' } }] },
    ];
    expect(await quote({ model_id: 'pipeline-batch', request: { items } }, headers)).toMatchObject({
      status: 403,
      body: { field: expect.stringContaining('steps') },
    });
  });

  it('an account that could not pay with 402, before anything is fetched', async () => {
    const poor = await startApi({}, '0');
    try {
      const response = await poor.post('/v2/quotes', {
        ...conversion(),
        request: { image_url: 'http://127.0.0.1:1/none.png', to_format: 'webp' },
      });
      expect(response.status).toBe(402);
      expect(getFaults('POST', '/v2/quotes', response)).toEqual([]);
    } finally {
      await poor.close();
    }
  });

  it('more than 12 at once with a 429 that says so', async () => {
    await api.ctx.db.delete(schema.rateLimits);
    const statuses: number[] = [];
    for (let asked = 0; asked < 12; asked++) statuses.push((await api.post('/v2/quotes', {})).status);
    expect(statuses).toEqual(Array(12).fill(400));
    expect(await api.post('/v2/quotes', {})).toMatchObject({
      status: 429,
      body: {
        message: expect.stringContaining(
          'Too many quotes of this account: the limit is 12 a minute, and 12 at once.',
        ),
      },
    });
  });
});
