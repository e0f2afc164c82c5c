import { describe, expect, test } from 'vitest';
import type { Resolve } from '../../../../server/io/fetching/address-rules.ts';
import { assertReachableUrl } from '../../../../server/io/fetching/index.ts';

const { signal } = new AbortController();
const assertReachable = (url: string, allowNetworks: string[] = [], resolve?: Resolve) =>
  assertReachableUrl(url, { allowNetworks, resolve, owner: 'test', signal });

const PRIVATE_HOSTS = {
  'loopback name': 'localhost',
  'loopback name with a dot': 'localhost.',
  loopback: '127.0.0.1',
  'other loopback': '127.8.9.10',
  'loopback in hex': '0x7f000001',
  'loopback in octal': '0177.0.0.1',
  'loopback in decimal': '2130706433',
  'short loopback': '127.1',
  'this host': '0.0.0.0',
  '10/8': '10.1.2.3',
  '172.16/12': '172.31.255.255',
  '192.168/16': '192.168.0.1',
  'cloud metadata': '169.254.169.254',
  'carrier-grade NAT': '100.100.100.200',
  benchmarking: '198.18.0.1',
  documentation: '203.0.113.7',
  multicast: '224.0.0.1',
  reserved: '250.1.1.1',
  broadcast: '255.255.255.255',
  'Azure wire server': '168.63.129.16',
  'IPv6 loopback': '[::1]',
  'IPv6 unspecified': '[::]',
  'IPv4-mapped': '[::ffff:127.0.0.1]',
  'IPv4-mapped in hex': '[::ffff:a9fe:a9fe]',
  'IPv4-compatible': '[::7f00:1]',
  'unique local': '[fd00:ec2::254]',
  'link local': '[fe80::1]',
  'site local': '[fec0::1]',
  NAT64: '[64:ff9b::7f00:1]',
  'local NAT64': '[64:ff9b:1::a00:1]',
  '6to4': '[2002:7f00:1::]',
  Teredo: '[2001:0:7f00:1::]',
  'IPv6 documentation': '[2001:db8::1]',
  'IPv6 multicast': '[ff02::1]',
};

describe('a URL must resolve to a public address', () => {
  test.each(Object.entries(PRIVATE_HOSTS))('%s (%s) is rejected', async (_kind, host) => {
    await expect(assertReachable(`http://${host}/a.png`)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/^must resolve to a public address/),
    });
  });

  test.each(['8.8.8.8', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]'])('%s is accepted', async (host) => {
    await assertReachable(`https://${host}/hook`);
  });

  test('a name with one private address among public ones is rejected', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await expect(assertReachable('http://mixed.example/', [], resolve)).rejects.toThrow(/public address/);
  });

  test('an unknown name and a private one have the same error', async () => {
    const messageFor = (addresses: string[]) =>
      assertReachable('http://name.example/', [], async () =>
        addresses.map((address) => ({ address, family: 4 })),
      ).then(
        () => 'reached',
        (error: Error) => error.message,
      );
    expect(await messageFor([])).toBe(await messageFor(['10.0.0.1']));
  });

  test('an allowed network permits only its own addresses', async () => {
    await assertReachable('http://127.0.0.1/', ['127.0.0.1/32', 'fd00::/8']);
    await assertReachable('http://[::ffff:127.0.0.1]/', ['127.0.0.1/32']);
    await assertReachable('http://[fd00::1]/', ['127.0.0.1/32', 'fd00::/8']);
    await expect(assertReachable('http://127.0.0.2/', ['127.0.0.1/32', 'fd00::/8'])).rejects.toThrow();
  });
});

describe('a URL must be plain http(s)', () => {
  test.each([
    ['file:///etc/passwd', 'must be an http:// or https:// URL'],
    ['ftp://8.8.8.8/a', 'must be an http:// or https:// URL'],
    ['data:image/png;base64,AAAA', 'must be an http:// or https:// URL'],
    ['//8.8.8.8/a', 'must be a valid http:// or https:// URL'],
    ['http://', 'must be a valid http:// or https:// URL'],
    ['http://user:pass@8.8.8.8/', 'must not contain a user name or password'],
    ['http://8.8.8.8@10.0.0.1/', 'must not contain a user name or password'],
  ])('%s is rejected', async (url, message) => {
    await expect(assertReachable(url)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message),
    });
  });
});
