import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serveFiles } from '../../../lab/support/file-server.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const PATH = '/content-safety/v1/image-moderation';
const MEGABYTES_4 = 4_000_000;

let api: TestApi;
let images: Awaited<ReturnType<typeof serveFiles>>;
const moderate = (body: object, headers?: Record<string, string>) => api.post(PATH, body, headers);
const wallet = () => readBalance(api.ctx.db, api.accountId);
const grey = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
  images = await serveFiles({
    '/lemur.jpg': await readFile('public/samples/lemur.jpg'),
    '/page.html': Buffer.from('<!doctype html><title>No image</title>'),
    '/drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'),
    '/small.png': await grey(49, 60),
    '/wide.png': await grey(2049, 60),
    '/heavy.png': Buffer.concat([await grey(60, 60), Buffer.alloc(MEGABYTES_4)]),
    '/cut.jpg': (await readFile('public/samples/lemur.jpg')).subarray(0, 700),
  });
});
afterEach(async () => {
  expect((await wallet()).held).toBe(0n);
});
afterAll(async () => {
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  await images.close();
  await api.close();
});

const lemur = (params: object = {}) => ({
  image_url: `${images.url}/lemur.jpg`,
  categories: ['Sexual'],
  ...params,
});

describe('POST /content-safety/v1/image-moderation', () => {
  it('returns 200 with the verdict of the analysed category, and charges once', async () => {
    const before = await wallet();
    const { status, body } = await moderate(lemur());
    expect(status).toBe(200);
    expect(Object.keys(body).slice(0, 4)).toEqual(['flagged', 'categories', 'severity_threshold', 'ms']);
    expect(body).toMatchObject({
      flagged: false,
      categories: [{ category: 'Sexual', severity: 0 }],
      severity_threshold: 2,
      ms: expect.any(Number),
      engine: 'nsfw-mobilenet on cpu',
    });
    expect(Number.isInteger(body.ms)).toBe(true);
    expect((await wallet()).balance).toBe(before.balance - 2_000n);
  });

  it.each([
    [9, 6, false],
    [-3, 0, true],
  ])('clamps the threshold %d to %d, for image_b64 as well', async (given, severity_threshold, flagged) => {
    const image_b64 = (await readFile('public/samples/lemur.jpg')).toString('base64');
    const response = await moderate({ image_b64, categories: ['Sexual'], severity_threshold: given });
    expect(response).toMatchObject({ status: 200, body: { severity_threshold, flagged } });
  });

  it.each([
    ['all categories, of which no engine here judges three', {}],
    ['one that no engine here judges', { categories: ['Violence'] }],
  ])('returns 503 with Retry-After for %s, and charges nothing', async (_name, params) => {
    const before = await wallet();
    const response = await moderate({ image_url: lemur().image_url, ...params });
    expect(response).toMatchObject({
      status: 503,
      body: {
        error: 'Service Unavailable',
        field: 'categories',
        message: expect.stringMatching(
          /^categories: .*Violence could not be fetched lately\. .*Available here: Sexual\./,
        ),
      },
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await wallet()).toEqual(before);
  });

  it.each([
    ['neither input', { image_url: undefined }, /^image_url, image_b64: exactly one/],
    ['both inputs', { image_b64: 'aGk=' }, /^image_url, image_b64: exactly one/],
    ['an empty list', { categories: [] }, /^categories: must have at least 1 item\.$/],
    ['another category', { categories: ['Spam'] }, /^categories\[0\]: must be one of Hate, SelfHarm/],
    ['a threshold in between', { severity_threshold: 3 }, /^severity_threshold: must be one of 0, 2, 4, 6/],
    ['half a threshold', { severity_threshold: 2.5 }, /^severity_threshold: must be an integer/],
    ['an unknown field', { colour: 'red' }, /^colour: unknown field/],
  ])('returns 400 for %s', async (_name, params, message) => {
    expect(await moderate(lemur(params))).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: expect.stringMatching(message) },
    });
  });

  it.each([
    ['/none.png', /404/],
    ['/page.html', /image/],
    ['/drawing.svg', /image/],
    ['/small.png', /49 x 60/],
    ['/wide.png', /2049/],
    ['/heavy.png', /4,000,000 bytes/],
    ['/cut.jpg', /./],
  ])('returns 422 for %s and charges nothing', async (path, message) => {
    const before = await wallet();
    const response = await moderate(lemur({ image_url: `${images.url}${path}` }));
    expect(response).toMatchObject({
      status: 422,
      body: { error: 'Unprocessable Entity', message: expect.stringMatching(message) },
    });
    expect(await wallet()).toEqual(before);
  });

  it('returns 401 without a key, and 403 when the balance is too low', async () => {
    const anonymous = await api.call('POST', `/api${PATH}`, { body: lemur() });
    expect(anonymous.status).toBe(401);
    const { accountId } = await openAccount(api.ctx.db, 'poor@example.com');
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'poor' });
    const response = await moderate(lemur(), { 'ocp-apim-subscription-key': apiKey });
    expect(response).toMatchObject({ status: 403, body: { error: 'Insufficient Balance' } });
  });
});
