import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Env } from '../../base/env.ts';
import { FetchFault } from './fetch-fault.ts';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

interface NameOptions {
  /** Name servers as `ip`, `ip:port` or `[ip6]:port`; the system's when absent or empty. */
  readonly dnsServers?: readonly string[] | undefined;
  /** Time limit of the whole look-up; 10 s when absent. */
  readonly timeoutMs?: number;
  /** Ends the look-up. */
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;

/** Time limit of the first try at a name server; c-ares doubles it for the next. */
const TRY_MS = 2_500;

const TRIES = 3;

/** Longest wait of one family's addresses for the other's: RFC 8305, section 3, with more patience. */
const RESOLUTION_DELAY_MS = 1_000;

const HOSTS_FILE = '/etc/hosts';

/** RFC 6761, section 6.3: these names never reach a name server. */
const LOCALHOST = /(^|\.)localhost$/;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

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
 * @throws FetchFault, the same for an unknown name and a forbidden one, so that no client can probe our DNS
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

/**
 * Looks up the addresses of a host name in the hosts file, then at the name servers. It uses c-ares, whose queries take
 * sockets and timers: the system's getaddrinfo holds a thread of libuv's pool for each look-up, and the pool has four
 * threads for the files and names of the whole process. Search domains are not used.
 * @returns no addresses for an unknown name, a name server that does not respond in time, or an aborted signal
 */
export async function resolveName(
  hostname: string,
  { dnsServers = [], timeoutMs = TIMEOUT_MS, signal }: NameOptions = {},
): Promise<readonly ResolvedAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const local = await findInHostsFile(name);
  if (local.length > 0) return local;
  if (LOCALHOST.test(name)) return LOOPBACK;
  if (signal?.aborted) return [];
  // One resolver a look-up: `cancel` ends all queries of a resolver.
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const cancel = () => resolver.cancel();
  const timer = setTimeout(cancel, timeoutMs).unref();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await bothFamilies(resolver, name);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Returns IPv4 addresses first: where a machine has no IPv6, a connection starts with one that works. */
async function bothFamilies(resolver: Resolver, name: string): Promise<ResolvedAddress[]> {
  let resolutionDelay: NodeJS.Timeout | undefined;
  const query = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)).catch(() => []);
    if (found.length > 0)
      resolutionDelay ??= setTimeout(() => resolver.cancel(), RESOLUTION_DELAY_MS).unref();
    return found.map((address) => ({ address, family }));
  };
  const found = await Promise.all([query(4), query(6)]);
  clearTimeout(resolutionDelay);
  return found.flat();
}

async function findInHostsFile(name: string): Promise<ResolvedAddress[]> {
  const lines = (await readFile(HOSTS_FILE, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    return family && names.includes(name) ? [{ address, family }] : [];
  });
}
