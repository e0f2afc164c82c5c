import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ DISABLED_MODELS: '' }, '0.015');
});
afterEach(async () => expect(await api.ctx.db.$count(schema.jobs)).toBe(0));
afterAll(() => api.close());

/** Items that differ, so that none repeats another. */
const item = (_: unknown, at = 0) => ({
  image_url: `${api.files.url}/subject.png`,
  background: `rgb(${at} 0 0)`,
});
const many = (length: number) => ({ items: Array.from({ length }, item) });

it.each<[string, () => unknown, RegExp]>([
  ['101 items', () => many(101), /^items: must have at most 100 items\.$/],
  ['no item', () => many(0), /^items: must have at least 1 item\.$/],
  ['no list of items', () => ({ items: 'all' }), /^items: must be an array\.$/],
  ['items left out', () => ({}), /^items: required, must be an array\.$/],
  ['a list for a body', () => [item(undefined)], /^body: must be a JSON object/],
  ['an unknown field', () => ({ ...many(1), colour: 'red' }), /^colour: unknown field/],
  ['a wrong param for all', () => ({ ...many(1), output_format: 'gif' }), /^output_format: must be one of/],
])('POST /v1/remove-bg/batch returns 400 for %s', async (_name, body, message) => {
  const response = await api.removeBgBatch(body());
  expect(response.status).toBe(400);
  expect(response.body).toEqual(problemBody('Bad Request', expect.stringMatching(message)));
});

it('POST /v1/remove-bg/batch returns 402 when the wallet does not cover all of its items', async () => {
  expect((await api.removeBgBatch(many(2))).status).toBe(402);
});

it('POST /v1/remove-bg/batch returns 403 to a key for single requests', async () => {
  const key = { accountId: api.accountId, name: 'single', operations: ['remove-bg'] };
  const { apiKey } = await issueKey(api.ctx.db, key);
  const response = await api.removeBgBatch(many(1), { authorization: `Bearer ${apiKey}` });
  expect([response.status, response.body.message]).toEqual([403, expect.stringContaining('remove-bg-batch')]);
});

it('POST /v1/remove-bg/batch returns 400 Model not found when batches are disabled', async () => {
  const strict = await startApi({ DISABLED_MODELS: 'remove-bg-batch' });
  const response = await strict.removeBgBatch(many(1));
  expect(response.body.message).toBe("Model 'remove-bg-batch' not found or disabled");
  await strict.close();
});
