import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { serveFiles } from '../../../lab/support/file-server.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink } from '../../support/service/fetch-link.ts';

let api: TestApi | undefined;
afterEach(() => api?.close());

/** Starts a service whose reserve is this many times what is free on its disk. */
async function startShort(times: number): Promise<TestApi> {
  const { bavail, bsize } = await statfs(tmpdir());
  api = await startApi({ DISK_RESERVE_MB: String((bavail * bsize * times) / 1e6) });
  return api;
}

const LARGE = randomBytes(10_000_001);
const FULL = { status: 507, body: { error: 'Insufficient Storage', code: 'storage_full' } };

test('GET /health is 200 and names nothing while the disk has room', async () => {
  const { call } = await startShort(0.5);
  expect((await call('GET', '/api/health')).body).toEqual({ status: 'ok' });
});

test('a low disk is a 507 for uploads and large inputs, and small jobs go on', async () => {
  const { call, upload, post, convert, removeBg, imageUrl } = await startShort(2);
  const files = await serveFiles({ '/large.png': LARGE });
  const health = await call('GET', '/api/health');
  expect(health).toMatchObject({ status: 200, body: { status: 'ok', warnings: ['disk'] } });
  const refused = await upload(Buffer.from('small'));
  expect(refused).toMatchObject(FULL);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await post('/v2/uploads', { bytes: 5 })).toMatchObject(FULL);
  expect(await convert({ image_url: `${files.url}/large.png`, to_format: 'webp' })).toMatchObject(FULL);
  expect(await removeBg({ image_b64: LARGE.toString('base64') })).toMatchObject(FULL);
  await files.close();
  expect(await convert({ image_url: imageUrl, to_format: 'webp' })).toMatchObject({ status: 202 });
});

test('a link of a visitor is a 507 when it is large and the disk low, and a 503 when it is full', async () => {
  const files = await serveFiles({ '/large.png': LARGE });
  const low = await startShort(2);
  const refused = await fetchLink(low, `${files.url}/large.png`);
  expect([refused.status, await refused.json()]).toMatchObject([FULL.status, FULL.body]);
  expect((await fetchLink(low, low.imageUrl)).status).toBe(200);
  await low.close();
  const full = await startShort(5);
  expect((await fetchLink(full, full.imageUrl)).status).toBe(503);
  await files.close();
});

test('a full disk is a 503 for health and for billable requests', async () => {
  const { call, convert, imageUrl } = await startShort(8);
  const unavailable = { status: 503, body: { code: 'unavailable' } };
  expect(await call('GET', '/api/health')).toMatchObject(unavailable);
  expect(await convert({ image_url: imageUrl, to_format: 'webp' })).toMatchObject(unavailable);
});
