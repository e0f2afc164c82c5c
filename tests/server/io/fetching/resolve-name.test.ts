import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveName } from '../../../../server/io/fetching/address-rules.ts';
import { type DnsServer, startDnsServer } from '../../../support/servers/dns-server.ts';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer({
    'both.example': ['192.0.2.1', '2001:db8::7', '192.0.2.2'],
    'four.example': ['192.0.2.4'],
    'four.example AAAA': 'silent',
    'silent.example': 'silent',
    localhost: ['192.0.2.9'],
  });
});
afterAll(() => dns.stop());

const resolve = (name: string, options = {}) => resolveName(name, { dnsServers: [dns.address], ...options });

test('returns the addresses of both families, IPv4 first', async () => {
  expect(await resolve('Both.Example.')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

test('does not wait for an address family without a reply', async () => {
  expect(await resolve('four.example', { timeoutMs: 600_000 })).toEqual([
    { address: '192.0.2.4', family: 4 },
  ]);
});

test('returns nothing for an unknown name', async () => {
  expect(await resolve('unknown.example')).toEqual([]);
});

test('returns nothing when the name server does not respond in time', async () => {
  expect(await resolve('silent.example', { timeoutMs: 100 })).toEqual([]);
});

test('ends when aborted', async () => {
  const controller = new AbortController();
  const looking = resolve('silent.example', { signal: controller.signal, timeoutMs: 600_000 });
  await expect.poll(() => dns.queries('silent.example')).toBeGreaterThan(0);
  controller.abort();
  expect(await looking).toEqual([]);
  expect(await resolve('four.example', { signal: controller.signal })).toEqual([]);
});

test.each(['localhost', 'photos.localhost'])('never asks a name server for %s', async (name) => {
  expect(await resolve(name)).toContainEqual({ address: '127.0.0.1', family: 4 });
  expect(dns.queries(name)).toBe(0);
});
