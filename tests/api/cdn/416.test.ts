import { expect, test } from 'vitest';
import { startCdn } from '../../support/service/cdn.ts';

test('a range beyond the file returns 416 with the size of the file', async () => {
  const cdn = await startCdn();
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0']) {
    const response = await cdn.request(url, { headers: { range } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(await response.json()).toMatchObject({ error: 'Range Not Satisfiable' });
  }
  await cdn.stop();
});
