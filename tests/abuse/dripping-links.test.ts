import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleApi } from '../../server/http/api.ts';
import { CLIENT_ADDRESS } from '../../server/http/client-address.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fetchLink, fetchLinkRequest } from '../support/fetch-link.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';

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
  const answers = requests.map((request) => handleApi(api.ctx, request));
  await expect.poll(() => target.connectionCount()).toBeGreaterThanOrEqual(8);
  const other = await fetchLink(api, api.imageUrl, { [CLIENT_ADDRESS]: '198.51.100.2' });
  expect(other.status).toBe(200);
  leaving.abort();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  expect(target.connectionCount()).toBe(8);
});
