import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createResultsListener } from '../../../server/api/results-listener.ts';
import { startCdn } from '../../support/service/cdn.ts';
import { startTestHttpServer } from '../../support/service/http-server.ts';

test('DELETE /cdn/… returns 405 as JSON', async () => {
  const cdn = await startCdn();
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  const response = await cdn.request(url, { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  expect(await response.json()).toMatchObject({ error: 'Method Not Allowed' });
  await cdn.stop();
});

test.each(['TRACE', 'PROPFIND'])('%s /cdn/… returns 405 as well', async (method) => {
  const cdn = await startCdn();
  const service = await startTestHttpServer(createResultsListener(cdn.ctx));
  const client = await service.connect();
  client.write(`${method} /cdn/x HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const response = String((await once(client, 'data'))[0]);
  expect(response).toMatch(/^HTTP\/1\.1 405 /);
  expect(response).toMatch(/^allow: GET, HEAD\r$/m);
  await service.stop();
  await cdn.stop();
});
