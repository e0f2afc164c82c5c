import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const WRONG = 'mk_abcdefgh_nothing';
const subscription = (key: string) => ({ 'ocp-apim-subscription-key': key });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Paths of both families, with the header that the contract names, and the other one. A known key gets beyond 401. */
const FAMILIES = [
  ['/media-tools/v1/image-convert', subscription, bearer],
  ['/content-safety/v1/image-moderation', subscription, bearer],
  ['/v1/remove-bg', bearer, subscription],
  ['/v1/upscale/batch', bearer, subscription],
] as const;

describe.each(FAMILIES)('POST %s', (path, documented, other) => {
  const getStatus = async (headers: Record<string, string>) => {
    const { status } = await api.call('POST', `/api${path}`, { body: {}, headers });
    return status;
  };

  it.each([
    ['the header of its family', () => documented(api.apiKey)],
    ['the header of the other family', () => other(api.apiKey)],
    ['both headers', () => ({ ...documented(api.apiKey), ...other(api.apiKey) })],
    ['its own header, whatever is in the other', () => ({ ...documented(api.apiKey), ...other(WRONG) })],
  ])('accepts a key in %s', async (_name, headers) => {
    expect(await getStatus(headers())).toBe(400);
  });

  it.each([
    ['no key', () => ({})],
    ['an unknown key in the other header', () => other(WRONG)],
    [
      'an unknown key in its own header next to a known one',
      () => ({ ...documented(WRONG), ...other(api.apiKey) }),
    ],
  ])('returns 401 for %s', async (_name, headers) => {
    expect(await getStatus(headers())).toBe(401);
  });
});

it('GET /v2/wallet takes the key of Ocp-Apim-Subscription-Key where both headers differ', async () => {
  const getStatus = async (headers: Record<string, string>) =>
    (await api.call('GET', '/api/v2/wallet', { headers })).status;
  expect(await getStatus({ ...subscription(api.apiKey), ...bearer(WRONG) })).toBe(200);
  expect(await getStatus({ ...subscription(WRONG), ...bearer(api.apiKey) })).toBe(401);
});
