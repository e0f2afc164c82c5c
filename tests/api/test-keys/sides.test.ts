import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORCED_ORIGIN } from '../../../models/test-mode/forced-outcomes.ts';
import { startWebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { startSandbox, type TestSandbox } from '../../support/service/sandbox.ts';

const CONVERT = '/media-tools/v1/image-convert';

let api: TestApi;
let sandbox: TestSandbox;
beforeAll(async () => {
  api = await startApi({ SYNC_TIMEOUT_SECONDS: '60', RUNNER_CONCURRENCY: '2', FAILURES_PER_HOUR: '12' });
  sandbox = await startSandbox(api);
});
afterAll(() => api.close());

const asked = () => ({ image_url: api.imageUrl, to_format: 'webp' });
const forced = (outcome: string) => ({ image_url: `${FORCED_ORIGIN}${outcome}`, to_format: 'webp' });
const live = (path: string) =>
  api.call('GET', `/api${path}`, { headers: { authorization: `Bearer ${api.apiKey}` } });
const getIds = ({ body }: { body: { requests: { request_id: string }[] } }) =>
  body.requests.map(({ request_id }) => request_id);

describe('test and live are apart', () => {
  it('in ids, lists, filters and cancelling', async () => {
    const labels = { reference: 'order 1' };
    const own = (await sandbox.post(CONVERT, { ...asked(), ...labels })).body.request_id;
    const other = (await api.convert({ ...asked(), ...labels })).body.request_id;
    expect((await live(`/v2/requests/status/${own}`)).status).toBe(404);
    expect((await sandbox.get(`/v2/requests/status/${other}`)).status).toBe(404);
    const query = '/v2/requests?reference=order%201';
    expect(getIds(await live(query))).toEqual([other]);
    expect(getIds(await sandbox.get(query))).toEqual([own]);
    expect((await sandbox.get('/v2/requests')).body.requests).toMatchObject([{ test: true }]);
    expect((await live('/v2/requests')).body.requests).toMatchObject([{ test: false }]);
    const headers = { authorization: `Bearer ${sandbox.apiKey}` };
    expect((await api.call('DELETE', `/api/v2/requests/${other}`, { headers })).status).toBe(404);
  });

  it('in idempotency keys', async () => {
    const key = { 'idempotency-key': 'one and the same' };
    const own = await sandbox.post(CONVERT, asked(), key);
    const other = await api.convert(asked(), key);
    expect([own.status, other.status]).toEqual([202, 202]);
    expect(own.body.request_id).not.toBe(other.body.request_id);
    expect((await sandbox.post(CONVERT, asked(), key)).body.request_id).toBe(own.body.request_id);
  });

  it('in uploads', async () => {
    const bytes = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
    const { body } = await api.upload(Uint8Array.from(bytes));
    expect((await sandbox.post(CONVERT, { ...asked(), image_url: body.url })).status).toBe(400);
  });
});

describe('a test key is checked as a live one', () => {
  it.each([
    ['params', { to_format: 'xyz' }, 'to_format'],
    ['the kind of the file', { image_url: 'note.txt' }, 'image_url'],
  ])('%s', async (_what, change, field) => {
    const body = { ...asked(), ...change };
    if (body.image_url === 'note.txt') body.image_url = `${api.files.url}/note.txt`;
    const response = await sandbox.post(CONVERT, body);
    expect(response.status).toBe(400);
    expect(response.body.field).toBe(field);
  });

  it('with a key that is shown to be one for tests', () => {
    expect(sandbox.apiKey).toMatch(/^mk_test_[0-9a-f]{8}/);
  });
});

describe('a forced outcome', () => {
  beforeAll(async () => {
    await api.startRunner();
  });

  it.each(['failed', 'insufficient-balance', 'nothing'])('%s is a 400 with a live key', async (outcome) => {
    const response = await api.convert(forced(outcome));
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'bad_request', field: 'image_url' });
    const moderated = await api.post('/content-safety/v1/image-moderation', {
      image_url: `${FORCED_ORIGIN}${outcome}`,
      // Engines of the other categories are not here.
      categories: ['Sexual'],
    });
    expect(moderated).toMatchObject({ status: 400, body: { field: 'image_url' } });
  });

  it('that is unknown is a 400', async () => {
    const response = await sandbox.post(CONVERT, forced('nothing'));
    expect(response.status).toBe(400);
    expect(response.body.message).toContain('webhook-failed');
  });

  it('refuses for want of money and for too many requests', async () => {
    expect((await sandbox.post(CONVERT, forced('insufficient-balance'))).status).toBe(402);
    const moderation = { image_url: `${FORCED_ORIGIN}insufficient-balance` };
    expect((await sandbox.post('/content-safety/v1/image-moderation', moderation)).status).toBe(403);
    const limited = await sandbox.post(CONVERT, forced('too-many-requests'));
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('1');
  });

  it('fails, ends in an error after three attempts, or is slow, however often', {
    tags: ['long'],
  }, async () => {
    // As many failures of their own would use up the account's hour.
    const outcomes = ['error', 'slow', ...Array.from({ length: 12 }, () => 'failed')];
    const accepted = await Promise.all(outcomes.map((outcome) => sandbox.post(CONVERT, forced(outcome))));
    expect(new Set(accepted.map(({ status }) => status))).toEqual(new Set([202]));
    const jobs = await Promise.all(accepted.map(({ body }) => sandbox.ended(body.request_id)));
    const [error, slow, ...failed] = jobs;
    expect([error.status, slow.status]).toEqual(['ERROR', 'COMPLETED']);
    expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 'FAILED'));
    expect(error.error).toMatch(/^processing_failed: /);
    const [{ attempt } = { attempt: 0 }] = await api.ctx.db.$client<{ attempt: number }[]>`
      select attempt from jobs where id = ${error.request_id}`;
    expect(attempt).toBe(3);
    expect(Date.parse(slow.completed_at) - Date.parse(slow.created_at)).toBeGreaterThanOrEqual(5_000);
    const direct = await sandbox.post('/v1/remove-bg', { image_url: `${FORCED_ORIGIN}failed` });
    expect(direct.status).toBe(422);
  });

  it('lets the first delivery of a webhook count as failed', async () => {
    const receiver = await startWebhookReceiver();
    const { body } = await sandbox.post(CONVERT, forced('webhook-failed'), { 'x-webhook-url': receiver.url });
    await receiver.until(2);
    const [first, second] = receiver.received;
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
    const pause = Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp']);
    expect(pause).toBeGreaterThanOrEqual(4);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ request_id: body.request_id, test: true });
    await receiver.close();
  });
});
