import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { FetchFault } from './fetch-fault.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Asks for all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** What may be reached beyond public addresses, and how names are looked up (the system's resolver by default). */
export interface Reach {
  /** CIDRs. */
  readonly allowNetworks: readonly string[];
  readonly resolve?: Resolve | undefined;
}

/** Answers only inside Azure, where it is the host's own control channel, though the block it lies in is public. */
const AZURE_WIRE_SERVER = '168.63.129.16';
/** All that is handed out of IPv6 lies here, so whatever else is new or odd stays shut (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is public, or lies in an allowed network. IPv4 in IPv6 counts as the IPv4 address it is. */
export function mayReach(address: string, allowNetworks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return isPublic(ip) || allowNetworks.some((cidr) => within(ip, cidr));
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_UNICAST) : ip.toString() !== AZURE_WIRE_SERVER;
}

function within(ip: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return network.kind() === ip.kind() && ip.match(network, bits);
}

/** A look-up that takes longer counts as an unknown name. */
const LOOKUP_MS = 10_000;

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * All addresses of a host, each of which may be reached. One that may not spoils the rest: a public name that also
 * leads inside is an attack or a mistake.
 * @param hostname a name or an IP literal, IPv6 with or without brackets
 * @throws FetchFault, the same for a name that is unknown and one that leads inside, so that nobody can probe our DNS
 */
export async function reachableAddresses(
  hostname: string,
  reach: Reach,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  if (family) {
    if (mayReach(literal, reach.allowNetworks)) return [{ address: literal, family }];
    throw new FetchFault('must lead to a public address');
  }
  const found = await Promise.race([
    (reach.resolve ?? resolveBySystem)(hostname).catch(() => []),
    setTimeout(LOOKUP_MS, [], { ref: false }),
  ]);
  const [first, ...others] = found;
  if (!first || !found.every(({ address }) => mayReach(address, reach.allowNetworks))) {
    throw new FetchFault('must lead to a public address, but its host name does not. Check the host');
  }
  return [first, ...others];
}
