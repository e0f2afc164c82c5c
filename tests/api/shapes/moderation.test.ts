import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { SHAPES } from '../../support/operations/shaped-operations.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
const moderate = (body: object, headers?: Record<string, string>) =>
  api.post('/shapes/moderation', body, headers);
const wallet = () => readBalance(api.ctx.db, api.accountId);

describe('POST of an operation that returns a verdict', () => {
  beforeAll(async () => {
    api = await startApi({ RATE_LIMIT_BURST: '1000' }, '1', SHAPES);
    await api.startRunner();
  });
  afterEach(async () => {
    expect((await wallet()).held).toBe(0n);
  });
  afterAll(async () => {
    expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
    await api.close();
  });

  it('returns 200 with the verdict and no file, and charges once', async () => {
    const before = await wallet();
    const { status, body } = await moderate({ image_url: api.imageUrl, severity_threshold: 4 });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['flagged', 'categories', 'severity_threshold', 'ms'],
      ...['request_id', 'engine', 'engine_licence', 'warnings'],
    ]);
    expect(body).toMatchObject({
      flagged: true,
      categories: [
        { category: 'Hate', severity: 0 },
        { category: 'SelfHarm', severity: 0 },
        { category: 'Sexual', severity: 0 },
        { category: 'Violence', severity: 4 },
      ],
      severity_threshold: 4,
      ms: expect.any(Number),
    });
    expect((await wallet()).balance).toBe(before.balance - 2_000n);
  });

  it('keeps the verdict in its job, which never expires', async () => {
    const { body } = await moderate({ image_b64: (await drawRedBall()).toString('base64') });
    const { request_id, engine, engine_licence, warnings, ...verdict } = body;
    await api.ctx.db.update(schema.files).set({ expiresAt: new Date(0), deletedAt: new Date() });
    expect((await api.status(request_id)).body).toMatchObject({
      status: 'COMPLETED',
      output: { media_url: [], media_type: 'application/json', result: verdict },
      warnings: [],
    });
  });

  it.each([
    [9, 6, false],
    [-3, 0, true],
    [2, 2, true],
  ])('clamps the threshold %d to %d', async (given, severity_threshold, flagged) => {
    const { body } = await moderate({ image_url: api.imageUrl, severity_threshold: given });
    expect(body).toMatchObject({ severity_threshold, flagged });
  });

  it('merges repeated categories', async () => {
    const categories = ['Violence', 'Hate', 'Violence'];
    const { body } = await moderate({ image_url: api.imageUrl, categories });
    expect(body.categories.map(({ category }: { category: string }) => category)).toEqual([
      'Hate',
      'Violence',
    ]);
  });

  it.each([
    ['neither input', {}, /^image_url, image_b64: exactly one of them must be given\.$/],
    ['an empty list', { categories: [] }, /^categories: must have at least 1 item\.$/],
    ['another category', { categories: ['Spam'] }, /^categories\[0\]: must be one of Hate, SelfHarm/],
    [
      'a threshold in between',
      { severity_threshold: 3 },
      /^severity_threshold: must be one of 0, 2, 4, 6\.$/,
    ],
    ['half a threshold', { severity_threshold: 2.5 }, /^severity_threshold: must be an integer\.$/],
    ['a URL of another scheme', { image_url: 'file:///etc/passwd' }, /^image_url: must be an http/],
  ])('returns 400 for %s', async (name, body, message) => {
    const image = name === 'neither input' ? {} : { image_url: api.imageUrl };
    const response = await moderate({ ...image, ...body });
    expect(response).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: expect.stringMatching(message) },
    });
  });

  it.each([
    [
      'an image that cannot be fetched',
      () => ({ image_url: `${api.files.url}/none.png` }),
      /^image_url: .*404/,
    ],
    ['no image', () => ({ image_url: `${api.files.url}/note.txt` }), /^image_url: /],
    ['invalid base64', () => ({ image_b64: '***' }), /^image_b64: must be base64/],
    ['too many bytes', () => ({ image_b64: 'A'.repeat(8_000) }), /^image_b64: must be at most 4000 bytes\.$/],
    ['an unknown upload', () => ({ image_url: 'http://localhost:3000/api/uploads/x' }), /^image_url: /],
    ['a body above the limit', () => ({ image_b64: 'A'.repeat(1_100_000) }), /^body: must be at most/],
    [
      'an image that cannot be decoded',
      () => ({ image_url: api.imageUrl, behaviour: 'corrupt' }),
      /^The image is damaged\.$/,
    ],
  ])('returns 422 for %s and charges nothing', async (_name, body, message) => {
    const before = await wallet();
    const response = await moderate(body());
    expect(response).toMatchObject({
      status: 422,
      body: { error: 'Unprocessable Entity', message: expect.stringMatching(message) },
    });
    expect(await wallet()).toEqual(before);
  });

  it('returns 401 without a key, and 403 when the balance is too low', async () => {
    const anonymous = await api.call('POST', '/api/shapes/moderation', { body: { image_url: api.imageUrl } });
    expect(anonymous.status).toBe(401);
    const { accountId } = await openAccount(api.ctx.db, 'poor@example.com');
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'poor' });
    const response = await moderate({ image_url: api.imageUrl }, { 'ocp-apim-subscription-key': apiKey });
    expect(response).toMatchObject({ status: 403, body: { error: 'Insufficient Balance' } });
  });

  it('returns 503 with Retry-After after one attempt without an engine, and the Idempotency-Key can be used again', async () => {
    const before = await wallet();
    const body = { image_url: api.imageUrl, behaviour: 'unavailable' };
    const headers = { 'idempotency-key': 'verdict-1' };
    const response = await moderate(body, headers);
    expect(response).toMatchObject({ status: 503, body: { error: 'Service Unavailable' } });
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await wallet()).toEqual(before);
    const again = await moderate(body, headers);
    expect(again.status).toBe(503);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
  });

  it('sends no webhook', async () => {
    const headers = { 'x-webhook-url': 'http://127.0.0.1:9/hook' };
    expect((await moderate({ image_url: api.imageUrl }, headers)).status).toBe(200);
    expect(await api.ctx.db.$count(schema.deliveries)).toBe(0);
  });
});

describe('POST of an operation whose verdict does not arrive in time', () => {
  afterEach(async () => {
    expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
    await api.close();
  });
  const untouched = { balance: 1_000_000n, held: 0n, available: 1_000_000n };
  const end = async () => (await api.ctx.db.select().from(schema.jobs))[0];

  it('returns 503 with Retry-After during the run, and the job stays in ERROR', {
    tags: ['long'],
  }, async () => {
    api = await startApi({ SYNC_TIMEOUT_SECONDS: '3' }, '1', SHAPES);
    await api.startRunner();
    const response = await moderate({ image_url: api.imageUrl, behaviour: 'slow' });
    expect(response).toMatchObject({ status: 503, body: { error: 'Service Unavailable' } });
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await end()).toMatchObject({ status: 'ERROR', attempt: 2, charged: 0n });
    await new Promise((next) => setTimeout(next, 4_000));
    expect(await end()).toMatchObject({ status: 'ERROR', attempt: 2, charged: 0n });
    expect(await wallet()).toEqual(untouched);
  });

  it('returns 503 when no runner claims the job, and charges nothing when one starts later', async () => {
    api = await startApi({ SYNC_TIMEOUT_SECONDS: '0.3' }, '1', SHAPES);
    expect((await moderate({ image_url: api.imageUrl })).status).toBe(503);
    expect(await end()).toMatchObject({ status: 'ERROR', charged: 0n });
    await api.startRunner();
    expect(await wallet()).toEqual(untouched);
  });

  it('charges nothing when the database fails while the job is abandoned, and its Idempotency-Key waits for the job', {
    tags: ['long'],
  }, async () => {
    api = await startApi({ SYNC_TIMEOUT_SECONDS: '0.3' }, '1', SHAPES);
    const { db } = api.ctx;
    await db.execute(
      sql`create function fail() returns trigger language plpgsql as $$ begin raise 'lost'; end $$`,
    );
    await db.execute(sql`create trigger lose before update on jobs for each row when (new.status = 'ERROR')
      execute function fail()`);
    const ask = () => moderate({ image_url: api.imageUrl }, { 'idempotency-key': 'verdict-2' });
    const response = await ask();
    expect(response).toMatchObject({ status: 503, body: { error: 'Service Unavailable' } });
    expect(response.body.message).not.toContain('Nothing was charged');
    expect((await ask()).status).toBe(503);
    expect(await db.$count(schema.jobs)).toBe(1);
    await db.execute(sql`drop trigger lose on jobs`);
    await api.startRunner();
    await expect.poll(async () => (await end())?.status).toBe('ERROR');
    expect(await end()).toMatchObject({ charged: 0n, engine: null });
    expect(await wallet()).toEqual(untouched);
    expect((await ask()).body.message).toContain('Nothing was charged');
    expect(await db.$count(schema.idempotencyKeys)).toBe(0);
  });

  it('charges nothing when the client disconnects', async () => {
    api = await startApi({}, '1', SHAPES);
    const leaving = new AbortController();
    const headers = { 'ocp-apim-subscription-key': api.apiKey };
    const body = { image_url: api.imageUrl };
    const asked = api.call('POST', '/api/shapes/moderation', { body, headers, signal: leaving.signal });
    await expect.poll(async () => (await end())?.status).toBe('QUEUED');
    leaving.abort();
    await asked;
    expect(await end()).toMatchObject({ status: 'ERROR', charged: 0n });
    expect(await wallet()).toEqual(untouched);
  });
});
