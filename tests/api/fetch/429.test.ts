import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_ADDRESS } from '../../../server/api/transport/client-address.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink } from '../../support/service/fetch-link.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const statusFor = async (address: string): Promise<number> => {
  const response = await fetchLink(api, api.imageUrl, { [CLIENT_ADDRESS]: address });
  await response.arrayBuffer();
  return response.status;
};

describe('POST /fetch returns 429', () => {
  it('to one address after 20 links, and to no other address', async () => {
    const statuses = [];
    for (let count = 0; count < 40; count++) statuses.push(await statusFor('198.51.100.7'));
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses).toContain(429);
    expect(await statusFor('198.51.100.8')).toBe(200);
  });

  it('per /64 prefix of IPv6', async () => {
    const statuses = [];
    for (let count = 0; count < 40; count++) statuses.push(await statusFor(`2001:db8:1:2::${count}`));
    expect(statuses).toContain(429);
    expect(await statusFor('2001:db8:1:3::1')).toBe(200);
  });

  it('with Retry-After', async () => {
    const address = '198.51.100.9';
    let response = await fetchLink(api, api.imageUrl, { [CLIENT_ADDRESS]: address });
    while (response.status === 200) {
      await response.arrayBuffer();
      response = await fetchLink(api, api.imageUrl, { [CLIENT_ADDRESS]: address });
    }
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toEqual(
      problemBody(
        'Too Many Requests',
        expect.stringMatching(
          /^Too many links from this address: the limit is [\d.]+ a (second|minute), and \d+ at once\. /,
        ),
      ),
    );
  });
});
