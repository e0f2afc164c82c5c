import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { CLIENT_ADDRESS } from '../../../server/api/transport/client-address.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink, fetchLinkRequest } from '../../support/service/fetch-link.ts';

let api: TestApi;
let target: HttpTarget;
beforeAll(async () => {
  api = await startApi();
  // An image that never ends.
  target = await startHttpTarget((_request, response) => response.write('GIF89a'.padEnd(100)));
});
afterAll(async () => {
  await target.stop();
  await api.close();
});

const attacker = { [CLIENT_ADDRESS]: '198.51.100.1' };

it('links that never end occupy eight places of their own address, and hinder no other', async () => {
  const leaving = new AbortController();
  const requests = await Promise.all(
    Array.from({ length: 16 }, () => fetchLinkRequest(api, target.origin, attacker, leaving.signal)),
  );
  let refused = 0;
  const responses = requests.map(async (request) => {
    const { status } = await handleApi(api.ctx, request);
    if (status === 429) refused += 1;
  });
  // All have arrived: eight take the places, and the others are refused.
  await expect.poll(() => [target.connectionCount(), refused]).toEqual([8, 8]);
  const other = await fetchLink(api, api.imageUrl, { [CLIENT_ADDRESS]: '198.51.100.2' });
  expect(other.status).toBe(200);
  leaving.abort();
  await Promise.all(responses);
  expect([target.connectionCount(), refused]).toEqual([8, 8]);
});
