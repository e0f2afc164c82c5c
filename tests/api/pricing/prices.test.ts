import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { writePricingFile } from '../../support/service/pricing-file.ts';

let api: TestApi;
beforeAll(async () => {
  const TERMS_FILE = await writePricingFile({ prices: { 'media-convert-image': { image: '0.0123' } } });
  api = await startApi({ TERMS_FILE });
});
afterAll(() => api.close());

it('POST /api/v2/quotes and a run name the price of the terms, which is what is held and captured', async () => {
  const body = { image_url: api.imageUrl, to_format: 'jpg' };
  const quote = await api.post('/v2/quotes', { model_id: 'media-convert-image', request: body });
  expect(quote).toMatchObject({ status: 200, body: { price_usd: '0.0123' } });
  const { status, body: job } = await api.convert(body);
  expect(status).toBe(202);
  expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 1_000_000n, held: 12_300n });
  await api.startRunner();
  expect(await api.ended(job.request_id)).toMatchObject({ status: 'COMPLETED' });
  expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 987_700n, held: 0n });
});
