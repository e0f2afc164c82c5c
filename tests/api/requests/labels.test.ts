import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerCsv } from '../../../server/api/account/export-account.ts';
import { schema } from '../../../server/base/database/db.ts';
import { claimJob, completeJob } from '../../../server/jobs/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
beforeAll(async () => {
  api = await startApi({ SYNC_TIMEOUT_SECONDS: '1' });
  getFaults = await createConformanceCheck(api);
});
afterAll(() => api.close());

const LABELS = { reference: 'order 17/ä', metadata: { customer: 'ACME', 'line item': '' } };
const convert = (labels: object) => api.convert({ image_url: api.imageUrl, to_format: 'webp', ...labels });

const list = async (query: Record<string, string>) => {
  const path = `/api/v2/requests?${new URLSearchParams(query)}`;
  return await api.call('GET', path, { headers: { authorization: `Bearer ${api.apiKey}` } });
};
const getIds = (response: Awaited<ReturnType<typeof list>>): readonly string[] =>
  response.body.requests.map(({ request_id }: { request_id: string }) => request_id);

describe('reference and metadata of a job', () => {
  it('come back in its status and in the list', async () => {
    const { request_id } = (await convert(LABELS)).body;
    const response = await api.status(request_id);
    expect(response.body).toMatchObject(LABELS);
    expect(getFaults('GET', '/v2/requests/status/{request_id}', response)).toEqual([]);
    expect((await list({ limit: '1' })).body.requests).toMatchObject([{ request_id, ...LABELS }]);
  });

  it('are null and empty without', async () => {
    const { request_id } = (await convert({})).body;
    expect((await api.status(request_id)).body).toMatchObject({ reference: null, metadata: {} });
  });

  it('come back with a batch, whose items have none', async () => {
    const items = [{ image_url: api.imageUrl }, { image_url: api.imageUrl, reference: 'an item' }];
    const { status, body } = await api.removeBgBatch({ items, ...LABELS });
    expect(status).toBe(202);
    expect((await api.status(body.request_id)).body).toMatchObject(LABELS);
    const outcomes = await api.ctx.db.select({ outcome: schema.batchItems.outcome }).from(schema.batchItems);
    expect(outcomes).toMatchObject([{ outcome: { status: 'failed', field: 'items[1].reference' } }]);
  });

  it('come back with a moderation', async () => {
    await api.post('/content-safety/v1/image-moderation', {
      image_url: `${api.files.url}/subject.png`,
      categories: ['Sexual'],
      reference: 'upload 5',
    });
    expect((await list({ reference: 'upload 5' })).body.requests).toMatchObject([
      { model_id: 'image-moderation', reference: 'upload 5', metadata: {} },
    ]);
  });

  it('reach the ledger as CSV', async () => {
    const { request_id } = (
      await convert({ reference: '=1+1;\uff1dcmd\t@x', metadata: { customer: 'A, B' } })
    ).body;
    const attempt = await claimJob(api.ctx.db, request_id);
    if (!attempt) throw new Error('no attempt');
    const file = { name: 'a.webp', mediaType: 'image/webp', bytes: 3, sha256: Buffer.alloc(32) };
    const files = [{ ...file, key: `outputs/${request_id}/1/a.webp` }];
    await completeJob(api.ctx, attempt, { files, engine: 'test', warnings: [] });
    let csv = '';
    for await (const part of ledgerCsv(api.ctx, api.accountId)) csv += part;
    const line = csv.split('\r\n').find((each) => each.includes(request_id));
    expect(line).toMatch(/,"'=1\+1;'\uff1dcmd\t'@x","\{""customer"":""A, B""\}"$/);
  });
});

describe('GET /v2/requests returns 200 with the requests of', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    const of = async (labels: object) => (await convert(labels)).body.request_id;
    first = await of({ reference: 'a', metadata: { team: 'red', 'a b[c]': '1&2' } });
    second = await of({ reference: 'a', metadata: { team: 'blue' } });
    await of({ reference: 'ab', metadata: { team: 'reddish' } });
  });

  it('a reference, whole', async () => {
    expect(getIds(await list({ reference: 'a' }))).toEqual([second, first]);
    expect(getIds(await list({ reference: 'A' }))).toEqual([]);
  });

  it('each value of metadata, whole', async () => {
    expect(getIds(await list({ 'metadata[team]': 'red' }))).toEqual([first]);
    expect(getIds(await list({ 'metadata[team]': 'red', 'metadata[a b[c]]': '1&2' }))).toEqual([first]);
    expect(getIds(await list({ reference: 'a', 'metadata[team]': 'blue' }))).toEqual([second]);
    expect(getIds(await list({ 'metadata[team]': '' }))).toEqual([]);
  });
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
it.each([
  ['reference', { reference: 'x'.repeat(201) }],
  ['reference', { reference: '' }],
  ['reference', { reference: 5 }],
  ['reference', { reference: 'a\0' }],
  ['metadata', { metadata: keys(17) }],
  ['metadata', { metadata: ['a'] }],
  ['metadata', { metadata: null }],
  ['metadata.number', { metadata: { number: 5 } }],
  ['metadata.long', { metadata: { long: 'x'.repeat(501) } }],
] as const)('returns 400 naming %s for %j', async (field, labels) => {
  const { status, body } = await convert(labels);
  expect(status).toBe(400);
  expect(body.field).toBe(field);
  expect(body.message.length).toBeLessThan(300);
});

it('returns 400 for a key of metadata that is too long, and takes the largest that is allowed', async () => {
  expect((await convert({ metadata: { ['k'.repeat(41)]: 'v' } })).status).toBe(400);
  const largest = { ...keys(15), ['k'.repeat(40)]: 'v'.repeat(500) };
  const { status, body } = await convert({ reference: 'x'.repeat(200), metadata: largest });
  expect(status).toBe(202);
  expect((await api.status(body.request_id)).body.metadata).toEqual(largest);
});

it.each(['metadata=a', 'metadata[]=a', `metadata[${'k'.repeat(41)}]=a`, `reference=${'x'.repeat(201)}`])(
  'GET /v2/requests?%s returns 400',
  async (query) => {
    const headers = { authorization: `Bearer ${api.apiKey}` };
    const { status } = await api.call('GET', `/api/v2/requests?${query}`, { headers });
    expect(status).toBe(400);
  },
);
