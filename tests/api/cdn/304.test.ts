import { expect, test } from 'vitest';
import { startCdn } from '../../support/service/cdn.ts';

test('GET /cdn/… returns 304 to a client that has the file', async () => {
  const cdn = await startCdn();
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  const etag = (await cdn.request(url, { method: 'HEAD' })).headers.get('etag') ?? '';
  for (const known of [etag, `"a", W/${etag}`, '*']) {
    const response = await cdn.request(url, { headers: { 'if-none-match': known } });
    expect(response.status).toBe(304);
    expect(response.body).toBeNull();
    expect(response.headers.get('etag')).toBe(etag);
  }
  expect((await cdn.request(url, { method: 'HEAD', headers: { 'if-none-match': '"a"' } })).status).toBe(200);
  await cdn.stop();
});
