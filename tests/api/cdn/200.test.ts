import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveResult } from '../../../server/api/results-listener.ts';
import { recordReads, startCdn, type TestCdn } from '../../support/service/cdn.ts';

describe.each(['disk', 's3'] as const)('a result on %s', (kind) => {
  let cdn: TestCdn;
  beforeAll(async () => {
    cdn = await startCdn(kind);
  });
  afterAll(() => cdn.stop());

  test('is sent whole with its type, name, size and ETag', async () => {
    const content = randomBytes(300_000);
    const { url } = await cdn.publish(content, { name: 'été "1" 100%.png' });
    const response = await cdn.request(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="_t_ _1_ 100_.png"; filename*=UTF-8''%C3%A9t%C3%A9%20%221%22%20100%25.png`,
      'content-length': '300000',
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${createHash('sha256').update(content).digest('hex')}"`,
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('cache-control')).toMatch(
      /^private, no-transform, max-age=3[56]\d\d, immutable$/,
    );
    expect(content.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });

  test('returns headers alone to HEAD', async () => {
    const { url } = await cdn.publish(Buffer.from('0123456789'));
    const response = await cdn.request(url, { method: 'HEAD', headers: { range: 'bytes=2-4' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
    expect(response.body).toBeNull();
  });

  test('returns an empty body for an empty file', async () => {
    const { url } = await cdn.publish(Buffer.alloc(0));
    const response = await cdn.request(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });
});

test('a slow client pauses reading the file, and a disconnected one closes it', async () => {
  const { cdn, url, opened, ctx } = await startLarge();
  const response = await serveResult(ctx, new Request(url));
  const reader = response.body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(opened[0]?.bytesRead).toBeLessThan(1024 * 1024);
  await reader?.cancel();
  expect(opened[0]?.destroyed).toBe(true);
  await cdn.stop();
});

test('a client that disconnects before the first chunk leaves no file open', async () => {
  const { cdn, url, opened, ctx } = await startLarge();
  const client = new AbortController();
  await serveResult(ctx, new Request(url, { signal: client.signal }));
  client.abort();
  const { body } = await serveResult(ctx, new Request(url));
  await body?.cancel();
  expect(opened.map((stream) => stream.destroyed)).toEqual([true, true]);
  await cdn.stop();
});

/** Stores a result far larger than any buffer in between, and records the streams opened to read it. */
async function startLarge() {
  const cdn = await startCdn();
  const bytes = 32 * 1024 * 1024;
  const { url } = await cdn.publish(Buffer.alloc(bytes));
  return { cdn, url, ...recordReads(cdn.ctx) };
}
