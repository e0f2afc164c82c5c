import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeFormerFingerprint } from '../../../server/api/submit/fingerprint.ts';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
let photo: Buffer<ArrayBuffer>;
let count = 0;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '10');
  photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
});
afterAll(() => api.close());

const key = () => ({ 'idempotency-key': `key-${++count}` });
const upload = async (bytes = photo) => (await api.upload(bytes)).body;
const sky = async () => Buffer.from(await (await fetch(`${api.files.url}/sky.png`)).arrayBuffer());

async function expectReplay(path: string, first: unknown, second: unknown): Promise<void> {
  const headers = key();
  const one = await api.post(path, first, headers);
  expect([one.status, one.body.message]).toEqual([202, undefined]);
  const two = await api.post(path, second, headers);
  expect([two.status, two.body]).toEqual([202, one.body]);
  expect(two.headers.get('idempotent-replayed')).toBe('true');
}

const CONVERT = '/media-tools/v1/image-convert';
const REMOVE_BG = '/v1/remove-bg';
const ASYNC = { prefer: 'respond-async' };

describe('the same Idempotency-Key replays the response', () => {
  it('for the same file uploaded again, the first upload deleted', async () => {
    const [first, second] = [await upload(), await upload()];
    const headers = key();
    const convert = (image_url: string) => api.convert({ image_url, to_format: 'webp' }, headers);
    const one = await convert(first.upload_url);
    const remove = ({ upload_id }: { upload_id: string }) =>
      api.call('DELETE', `/api/uploads/${upload_id}`, { headers: { authorization: `Bearer ${api.apiKey}` } });
    await Promise.all([remove(first), remove(second)]);
    // The hash of a deleted upload is still known.
    for (const { upload_url } of [first, second]) {
      expect(await convert(upload_url)).toMatchObject({ status: 202, body: one.body });
    }
  });

  it('for the same file in base64, by upload and by another URL', async () => {
    const headers = { ...key(), ...ASYNC };
    const image_b64 = photo.toString('base64');
    const forms = [
      { image_url: (await upload()).upload_url },
      { image_b64 },
      { image_b64: `data:image/png;base64,${image_b64}` },
      { image_url: api.imageUrl },
      { image_url: `${api.imageUrl}#signature=2` },
    ];
    const responses = [];
    for (const form of forms) responses.push(await api.removeBg(form, headers));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(202));
    expect(new Set(responses.map(({ body }) => body.request_id)).size).toBe(1);
    expect(await api.removeBg({ image_b64: (await sky()).toString('base64') }, headers)).toMatchObject({
      status: 422,
      body: { code: 'unprocessable' },
    });
  });

  it('for a URL first, then the bytes, and leaves nothing behind', async () => {
    const headers = { ...key(), ...ASYNC };
    const one = await api.removeBg({ image_url: `${api.imageUrl}#signature=1` }, headers);
    const two = await api.removeBg({ image_b64: photo.toString('base64') }, headers);
    expect([two.status, two.body]).toEqual([202, one.body]);
    const before = await api.ctx.db.$count(schema.jobs);
    const other = await api.removeBg({ image_url: `${api.files.url}/sky.png` }, headers);
    expect(other.status).toBe(422);
    expect(await api.ctx.db.$count(schema.jobs)).toBe(before);
  });

  it('for the same JSON value, written otherwise', async () => {
    const { upload_url } = await upload();
    const first = `{"image_url":"${upload_url}","quality":80,"to_format":"webp","metadata":{"a":"1","b":"2"}}`;
    const second = `{ "metadata": {"b":"\\u0032","a":"1"}, "to_format":"webp", "quality": 8e1, "image_url": "${upload_url}" }`;
    await expectReplay(CONVERT, first, second);
  });

  it('for a batch whose items are uploaded again', async () => {
    const batch = async () => ({
      items: [
        { image_url: (await upload()).upload_url },
        { image_url: (await upload(await sky())).upload_url },
      ],
    });
    await expectReplay(`${REMOVE_BG}/batch`, await batch(), await batch());
  });
});

describe('the same Idempotency-Key is a 422', () => {
  it.each([
    ['another file', { image: true }, {}],
    ['another param', { quality: 50 }, {}],
    ['another webhook', {}, { 'x-webhook-url': 'http://127.0.0.1/other' }],
    ['no webhook', {}, { 'x-webhook-url': undefined }],
  ])('for %s', async (_name, more: { image?: boolean; quality?: number }, headers) => {
    const body = { image_url: api.imageUrl, to_format: 'webp' };
    const sent = { ...key(), 'x-webhook-url': 'http://127.0.0.1/hook' };
    expect((await api.convert(body, sent)).status).toBe(202);
    const { image, ...params } = more;
    const other = { ...body, ...params, ...(image && { image_url: `${api.files.url}/sky.png` }) };
    const changed = Object.fromEntries(
      Object.entries({ ...sent, ...headers }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const { status, body: problem } = await api.convert(other, changed);
    expect([status, problem.field]).toEqual([422, 'Idempotency-Key']);
    expect((await api.convert(body, sent)).status).toBe(202);
  });
});

it('a key with limits has separate Idempotency-Keys', async () => {
  const operations = ['media-convert-image'];
  const { apiKey } = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'limited', operations });
  const headers = key();
  const limited = { ...headers, 'ocp-apim-subscription-key': apiKey };
  const body = { image_url: api.imageUrl, to_format: 'webp' };
  const ids = [];
  for (const sent of [headers, limited, limited, headers]) {
    ids.push((await api.convert(body, sent)).body.request_id);
  }
  expect(ids).toEqual([ids[0], ids[1], ids[1], ids[0]]);
  expect(ids[0]).not.toBe(ids[1]);
  // An earlier version had no scopes, and bound keys to the text of the body.
  const url = new URL('/api/media-tools/v1/image-convert', api.ctx.env.PUBLIC_URL);
  const fingerprint = computeFormerFingerprint(new Request(url, { method: 'POST' }), JSON.stringify(body));
  const later = { ...limited, ...key() };
  const { request_id } = (await api.convert(body, later)).body;
  await api.ctx.db
    .update(schema.idempotencyKeys)
    .set({ key: later['idempotency-key'], fingerprint, contentFingerprint: null })
    .where(like(schema.idempotencyKeys.key, `%${later['idempotency-key']}`));
  expect((await api.convert(body, later)).body.request_id).toBe(request_id);
  expect((await api.convert({ ...body, quality: 50 }, later)).body.request_id).not.toBe(request_id);
  const rows = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, ids[1]));
  expect(rows).toHaveLength(1);
});
