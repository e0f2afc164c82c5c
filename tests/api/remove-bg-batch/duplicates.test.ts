// @module-tag long

import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { findDuplicates } from '../../../models/core/operation/batch.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
afterEach(() => api.close());

it('POST /v1/remove-bg/batch runs and charges repeated items once, and repeats their outcome', async () => {
  const { upload_url } = (await api.upload(new Uint8Array(await drawRedBall()))).body;
  const url = `${api.files.url}/subject.png`;
  const invalid = { image_url: `${api.files.url}/missing.png` };
  const sky = { image_url: `${api.files.url}/sky.png` };
  const items = [
    { image_url: url },
    invalid,
    { image_url: url, subject: 'all' },
    { image_url: url, subject: 'primary' },
    invalid,
    { image_url: upload_url },
    { image_url: url },
    { image_url: upload_url },
    sky,
  ];
  const { body } = await api.removeBgBatch({ items });
  const job = await api.ended(body.request_id);
  const results = job.output.items;
  expect(results.map(({ duplicate_of = null }) => duplicate_of)).toEqual([
    ...[null, null, 0, null, 1, null, 0, 5, null],
  ]);
  expect(results[6]).toEqual({ ...results[0], charged_usd: '0.00', duplicate_of: 0 });
  expect(results[4]).toEqual({ ...results[1], duplicate_of: 1 });
  expect(results[1].status).toBe('failed');
  expect(results[7]).toMatchObject({ status: 'success', output_url: results[5].output_url });
  expect(new Set(job.output.media_url).size).toBe(job.output.media_url.length);
  // The upload has the bytes of the first image, but another address.
  const charged = 1_000_000n - (await readBalance(api.ctx.db, api.accountId)).balance;
  // The sky has no subject, and costs nothing.
  expect([charged, job.billing.charged_usd]).toEqual([30_000n, '0.03']);
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  const again = await api.ended((await api.removeBgBatch({ items: [sky, sky] })).body.request_id);
  expect(again.output.items[1]).toEqual({ ...again.output.items[0], duplicate_of: 0 });
  expect(again.billing.charged_usd).toBe('0.00');
});

it('items of an operation that draws a seed repeat none, unless they name the seed', () => {
  const { 'remove-bg': operation } = OPERATIONS;
  const seeded = { ...operation, params: z.strictObject({ seed: z.int().optional() }) };
  const image_url = 'https://example.com/a.png';
  const requests = [{ image_url }, { image_url }, { image_url, seed: 1 }, { image_url, seed: 1 }];
  expect([...findDuplicates(seeded as never, requests)]).toEqual([[3, 2]]);
});
