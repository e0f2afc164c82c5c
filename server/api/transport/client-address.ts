import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createBucketId } from './rate-limit.ts';

/** Header that the web process sets on every request, overwriting any value from the client. */
export const CLIENT_ADDRESS = 'x-client-address';

/**
 * Returns the client's address: the other end of the connection or, behind our own proxies, what the outermost of
 * them saw. Each proxy appends to X-Forwarded-For, so earlier entries come from the client itself.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = request.headers['x-forwarded-for'] ?? [];
  const hops = [forwarded, request.socket.remoteAddress ?? '']
    .flat()
    .flatMap((entry) => entry.split(','))
    .map((entry) => entry.trim())
    .filter(Boolean);
  // What is no address came from the client, or from a proxy that hides it: the nearest that is one counts.
  const known = hops.map(canonicalAddress);
  const own = Math.max(0, hops.length - 1 - trustedProxies);
  return known.slice(own).find((address) => address !== undefined) ?? '';
}

/** An address with a port, as some proxies write it: `192.0.2.1:5678`, `[2001:db8::1]:5678` (RFC 7239, section 6). */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/i;

/**
 * Writes an address in one way: a socket for both families names an IPv4 address `::ffff:127.0.0.1`.
 * @returns undefined for any other text
 */
function canonicalAddress(text: string): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(text) ?? [];
  const address = v6 ?? v4 ?? text;
  // Its own parser also takes `1` and `0x7f.1` for addresses.
  return isIP(address) ? ipaddr.process(address).toString() : undefined;
}

/** Groups of 16 bits of an IPv6 address that count: the /64 of one household, or the /48 that anyone gets for free. */
export const IPV6_GROUPS = { household: 4, site: 3 } as const;

/**
 * Returns the rate-limit bucket of an address.
 * @param share part of an IPv6 address that counts; an IPv4 address counts whole
 */
export function addressBucket(
  purpose: string,
  { headers }: Pick<Request, 'headers'>,
  share: keyof typeof IPV6_GROUPS = 'household',
): string {
  const network = clientNetwork(headers.get(CLIENT_ADDRESS) ?? '', IPV6_GROUPS[share]);
  return createBucketId(purpose, network);
}

/** Returns what an address counts as: itself, or its /64 in IPv6, the share of one household. */
export function clientNetwork(address: string, groups: number = IPV6_GROUPS.household): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const ip = ipaddr.process(address);
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, groups).join(':') : ip.toString();
}
