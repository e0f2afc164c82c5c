import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

describe('POST /media-tools/v1/image-convert returns 402', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ RATE_LIMIT_BURST: '1000', RATE_LIMIT_PER_SECOND: '1000' }, '0.03');
  });
  afterAll(() => api.close());

  it('above the monthly cap of the key, and leaves wallet and storage unchanged', async () => {
    const { apiKey } = await issueKey(api.ctx.db, {
      accountId: api.accountId,
      name: 'capped',
      monthlyCap: 1_000n,
    });
    const response = await api.convert(
      { image_url: api.imageUrl, to_format: 'webp' },
      { 'ocp-apim-subscription-key': apiKey },
    );
    expect(response.status).toBe(402);
    expect(response.body.message).toMatch(/cap/);
    const wallet = await api.call('GET', '/api/v2/wallet', {
      headers: { 'ocp-apim-subscription-key': apiKey },
    });
    expect(wallet.body).toMatchObject({ cap_usd: '0.001', spent_usd: '0.00', available_usd: '0.001' });
    const keys: string[] = [];
    for await (const key of api.ctx.storage.list('inputs/', new Date(Date.now() + 60_000))) keys.push(key);
    expect(keys).toEqual([]);
  });

  it('to 45 of 60 requests at once when the balance covers 15', async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => api.convert({ image_url: api.imageUrl, to_format: 'webp' })),
    );
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(15);
    expect(statuses.filter((status) => status === 402)).toHaveLength(45);
    const refused = responses.find((response) => response.status === 402);
    expect(refused?.body).toEqual(
      problemBody('Insufficient Balance', expect.stringMatching(/balance is too low/)),
    );
    const wallet = await api.call('GET', '/api/v2/wallet', {
      headers: { 'ocp-apim-subscription-key': api.apiKey },
    });
    expect(wallet.body).toEqual({ balance_usd: '0.03', held_usd: '0.03', available_usd: '0.00' });
  });
});
