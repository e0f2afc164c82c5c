import { expect, test } from 'vitest';
import { startCdn } from '../../support/cdn.ts';

test('DELETE /cdn/… returns 405 as JSON', async () => {
  const cdn = await startCdn();
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  const response = await cdn.request(url, { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  expect(await response.json()).toMatchObject({ error: 'Method Not Allowed' });
  await cdn.stop();
});
