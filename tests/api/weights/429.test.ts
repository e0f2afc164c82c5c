import { expect, it } from 'vitest';
import { CLIENT_ADDRESS } from '../../../server/api/transport/client-address.ts';
import { startRelayApi } from '../../support/service/relayed-weights.ts';

it('GET /weights/<sha256> returns 429 to an address above the rate limit, and to no other', async () => {
  const api = await startRelayApi({ RATE_LIMIT_PER_SECOND: '0.01', RATE_LIMIT_BURST: '2' });
  await api.store();
  const from = async (address: string) => (await api.get({ [CLIENT_ADDRESS]: address }, 'HEAD')).status;
  expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
    200, 200, 429,
  ]);
  expect(await from('192.0.2.2')).toBe(200);
  await api.close();
});
