import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Env } from '../../base/env.ts';
import { FetchFault } from './fetch-fault.ts';
import { type NameOptions, type ResolvedAddress, resolveName } from './resolve-name.ts';

/** Looks up all addresses of a host name; none for an unknown one. */
export type Resolve = (hostname: string, options: NameOptions) => Promise<readonly ResolvedAddress[]>;

/** Address rules: what may be reached beyond public addresses, and how names are looked up. */
export interface AddressRules extends Pick<NameOptions, 'dnsServers'> {
  /** CIDRs. */
  readonly allowNetworks: readonly string[];
  /** Defaults to {@link resolveName}. */
  readonly resolve?: Resolve | undefined;
}

/** Returns the address rules of the settings. */
export function addressRules({
  FETCH_ALLOW_NETWORKS,
  FETCH_DNS_SERVERS,
}: Pick<Env, 'FETCH_ALLOW_NETWORKS' | 'FETCH_DNS_SERVERS'>): AddressRules {
  return { allowNetworks: FETCH_ALLOW_NETWORKS, dnsServers: FETCH_DNS_SERVERS };
}

/** Reachable only inside Azure, where it is the host's own control channel, though its block is public. */
const AZURE_WIRE_SERVER = '168.63.129.16';
/** All assigned IPv6 addresses lie here, so everything else stays blocked (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Reports whether an IP address is public, or lies in an allowed network. IPv4 in IPv6 counts as the IPv4 address it
 * is.
 */
export function isAllowedAddress(address: string, allowNetworks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return isPublic(ip) || allowNetworks.some((cidr) => isInRange(ip, cidr));
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_UNICAST) : ip.toString() !== AZURE_WIRE_SERVER;
}

function isInRange(ip: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return network.kind() === ip.kind() && ip.match(network, bits);
}

/**
 * Looks up all addresses of a host and checks each. One forbidden address rejects the host: a public name that also
 * resolves to an internal address is an attack or a mistake.
 * @param hostname a name or an IP literal, IPv6 with or without brackets
 * @param signal ends the look-up
 * @throws FetchFault, the same for an unknown name and a forbidden one, so that nobody can probe our DNS
 */
export async function resolveAllowed(
  hostname: string,
  reach: AddressRules,
  signal?: AbortSignal,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  if (family) {
    if (isAllowedAddress(literal, reach.allowNetworks)) return [{ address: literal, family }];
    throw new FetchFault('must resolve to a public address');
  }
  const { resolve = resolveName, dnsServers } = reach;
  const found = await resolve(hostname, { dnsServers, signal });
  const [first, ...others] = found;
  if (!first || !found.every(({ address }) => isAllowedAddress(address, reach.allowNetworks))) {
    throw new FetchFault('must resolve to a public address, but its host name does not. Check the host');
  }
  return [first, ...others];
}
