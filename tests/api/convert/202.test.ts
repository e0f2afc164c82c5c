import { count, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const jobs = async () => (await api.ctx.db.select({ n: count() }).from(schema.jobs))[0]?.n;

describe('POST /media-tools/v1/image-convert returns 202', () => {
  it('with exactly request_id, status and polling_url, and holds the price', async () => {
    const { status, body } = await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['request_id', 'status', 'polling_url']);
    expect(body.request_id).toMatch(/^media-convert-image_[0-9a-f]{32}$/);
    expect(body.status).toBe('QUEUED');
    expect(body.polling_url).toBe(`http://localhost:3000/api/v2/requests/status/${body.request_id}`);
    const wallet = await api.call('GET', '/api/v2/wallet', {
      headers: { 'ocp-apim-subscription-key': api.apiKey },
    });
    expect(wallet.body).toEqual({ balance_usd: '1.00', held_usd: '0.002', available_usd: '0.998' });
  });

  it('and stores the default quality in the job', async () => {
    const { body } = await api.convert({ image_url: api.imageUrl, to_format: 'jpg' });
    const job = await api.ctx.db.query.jobs.findFirst({ where: eq(schema.jobs.id, body.request_id) });
    expect(job?.params).toEqual({ to_format: 'jpg', quality: 92, keep_metadata: false, enlarge: false });
  });

  it('with the rate limit of the key in the headers', async () => {
    const { headers } = await api.convert({ image_url: api.imageUrl, to_format: 'png' });
    expect(headers.get('ratelimit-limit')).toBe('40');
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(40);
    expect(headers.get('ratelimit-reset')).toMatch(/^\d+$/);
  });

  it('and replays it under the same Idempotency-Key, without a second job', async () => {
    const before = await jobs();
    const send = () =>
      api.convert({ image_url: api.imageUrl, to_format: 'webp' }, { 'idempotency-key': 'order-17' });
    const first = await send();
    const second = await send();
    expect(second.status).toBe(202);
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await jobs()).toBe((before ?? 0) + 1);
  });

  it('with one job for ten concurrent requests with one Idempotency-Key', async () => {
    const before = await jobs();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        api.convert({ image_url: api.imageUrl, to_format: 'webp' }, { 'idempotency-key': 'order-18' }),
      ),
    );
    const accepted = responses.filter((response) => response.status === 202);
    expect(new Set(accepted.map((response) => response.body.request_id)).size).toBe(1);
    expect(responses.filter((response) => ![202, 409].includes(response.status))).toEqual([]);
    expect(await jobs()).toBe((before ?? 0) + 1);
  });
});
