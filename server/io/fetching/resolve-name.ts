import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface NameOptions {
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
const OTHER_FAMILY_MS = 1_000;
const HOSTS_FILE = '/etc/hosts';
/** RFC 6761, section 6.3: these names never reach a name server. */
const LOCALHOST = /(^|\.)localhost$/;
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

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
  let hurry: NodeJS.Timeout | undefined;
  const query = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)).catch(() => []);
    if (found.length > 0) hurry ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS).unref();
    return found.map((address) => ({ address, family }));
  };
  const found = await Promise.all([query(4), query(6)]);
  clearTimeout(hurry);
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
