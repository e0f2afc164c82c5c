import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from '../../../server/api/transport/client-address.ts';

const from = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

it.each([
  [
    'without proxies the address is that of the peer, whatever it claims',
    0,
    '198.51.100.1',
    '192.0.2.1',
    '198.51.100.1',
  ],
  [
    'with one proxy the address is that which the proxy appended',
    1,
    '10.0.0.1',
    '198.51.100.1',
    '198.51.100.1',
  ],
  [
    'entries that a client put in front are ignored',
    1,
    '10.0.0.1',
    '192.0.2.1, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'with two proxies the address is the second entry from the right',
    2,
    '10.0.0.1',
    '192.0.2.1, 198.51.100.1, 10.0.0.2',
    '198.51.100.1',
  ],
  ['a port that a proxy adds is left out', 1, '10.0.0.1', '198.51.100.1:5678', '198.51.100.1'],
  ['an IPv6 address may have one, too', 1, '10.0.0.1', '[2001:db8::1]:5678', '2001:db8::1'],
  ['what is no address is that of the proxy', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
  ['neither is a script or a number', 1, '10.0.0.1', '<script>alert(1)</script>', '10.0.0.1'],
  ['an IPv4 address has one form', 0, '::ffff:198.51.100.1', undefined, '198.51.100.1'],
  ['a request that bypassed the proxies has the address of the peer', 2, '10.0.0.1', undefined, '10.0.0.1'],
])('%s', (_case, proxies, peer, forwarded, address) => {
  expect(clientAddress(from(peer, forwarded), proxies)).toBe(address);
});
