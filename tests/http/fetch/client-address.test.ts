import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from '../../../server/http/client-address.ts';

const from = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

it.each([
  ['without proxies the peer counts, whatever it says', 0, '198.51.100.1', '192.0.2.1', '198.51.100.1'],
  ['one proxy tells who came to it', 1, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['what a client puts in front does not count', 1, '10.0.0.1', '192.0.2.1, 198.51.100.1', '198.51.100.1'],
  ['two proxies', 2, '10.0.0.1', '192.0.2.1, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['a request that did not pass all proxies', 2, '10.0.0.1', undefined, '10.0.0.1'],
])('%s', (_case, proxies, peer, forwarded, address) => {
  expect(clientAddress(from(peer, forwarded), proxies)).toBe(address);
});
