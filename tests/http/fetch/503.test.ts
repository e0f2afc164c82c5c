import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_ADDRESS } from '../../../server/http/client-address.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { fetchLink } from '../../support/fetch-link.ts';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.ts';

let api: TestApi;
let target: HttpTarget;
beforeAll(async () => {
  api = await startApi();
  // A picture that begins and does not end.
  target = await startHttpTarget((_request, response) => response.write('GIF89a'.padEnd(100)));
});
afterAll(async () => {
  await target.stop();
  await api.close();
});

const ask = (number: number) => fetchLink(api, target.origin, { [CLIENT_ADDRESS]: `198.51.100.${number}` });

describe('POST /fetch answers 503', () => {
  it('while 16 links are being fetched, until one of them is done with', async () => {
    const open = await Promise.all(Array.from({ length: 16 }, (_, number) => ask(number)));
    expect(open.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const refused = await ask(16);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    await open[0]?.body?.cancel();
    const next = await ask(17);
    expect(next.status).toBe(200);
    await Promise.all([next, ...open.slice(1)].map(({ body }) => body?.cancel()));
  });
});
