import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Set by the web process on every request, over whatever a client sends under this name. */
export const CLIENT_ADDRESS = 'x-client-address';

/**
 * Who sends a request: the other end of the connection, or, behind proxies of our own, what the outermost of them saw.
 * Each proxy adds to the end of X-Forwarded-For, so what stands before their entries is the client's own word.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = request.headers['x-forwarded-for'] ?? [];
  const hops = [forwarded, request.socket.remoteAddress ?? '']
    .flat()
    .flatMap((entry) => entry.split(','))
    .map((entry) => entry.trim())
    .filter(Boolean);
  return hops.at(-1 - trustedProxies) ?? hops[0] ?? '';
}

/**
 * The bucket in the rate limit for all requests of one address: a hash in the form of a UUID, so that no address is stored. IPv6 counts by
 * its /64, which one household has whole.
 */
export function addressBucket(purpose: string, { headers }: Request): string {
  const network = networkOf(headers.get(CLIENT_ADDRESS) ?? '');
  const hash = createHash('sha256').update(`${purpose} ${network}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const ip = ipaddr.process(address);
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, 4).join(':') : ip.toString();
}
