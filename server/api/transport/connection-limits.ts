import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Env } from '../../base/env.ts';
import type { Logger } from '../../base/log.ts';
import { clientAddress, clientNetwork, IPV6_GROUPS } from './client-address.ts';
import { type FormattedProblem, formatProblem, serializeProblem } from './problem.ts';

/** Descriptors for everything but clients: libraries, the database, logs, and files of the build. */
const RESERVED_DESCRIPTORS = 100;
/** A connection may open a file, or a connection to the store or to a user's server. */
const DESCRIPTORS_PER_CONNECTION = 2;
/** Even an idle connection takes memory. */
const CONNECTIONS_MAX = 10_000;
const WARN_EVERY_MS = 60_000;

const RETRY_AFTER_SECONDS = '10';

function formatRefusal(perAddress: number, perSite: number): FormattedProblem {
  const { headers, ...refusal } = formatProblem({
    code: 'too_many_requests',
    message: `Too many open connections from this address: at most ${perAddress} may be open, and ${perSite} from its network. Reuse connections, or wait until earlier requests have ended.`,
  });
  return { ...refusal, headers: { ...headers, 'retry-after': RETRY_AFTER_SECONDS } };
}

/** Limits on concurrent connections of one process. */
export interface ConnectionLimits {
  readonly total: number;
  /** Limit on those of one address, or of one IPv6 /64: at most half of all, which is the limit of an IPv6 /48. */
  readonly perAddress: number;
}

/** Returns the limits that the settings and the process's limit on open files allow. */
export function readConnectionLimits(
  { CONNECTIONS_PER_ADDRESS }: Pick<Env, 'CONNECTIONS_PER_ADDRESS'>,
  descriptorsMax = descriptorLimit(),
): ConnectionLimits {
  const affordable = Math.floor((descriptorsMax - RESERVED_DESCRIPTORS) / DESCRIPTORS_PER_CONNECTION);
  const total = Math.max(2, Math.min(CONNECTIONS_MAX, affordable));
  return { total, perAddress: Math.min(CONNECTIONS_PER_ADDRESS, Math.floor(total / 2)) };
}

/** Reads this process's limit on open files; unlimited where the system does not report it. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Refuses a request whose address has too many open ones, and reports whether it has. */
export type RefuseCrowdedAddress = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Bounds a server's connections, in total, of each address and of each IPv6 /48. Behind trusted proxies connections are
 * the proxies': there the open requests of each forwarded address count.
 * @returns a check that the request listener must call first
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  { env, log }: { readonly env: Pick<Env, 'TRUSTED_PROXIES'>; readonly log: Logger },
): RefuseCrowdedAddress {
  server.maxConnections = total;
  const warn = throttle(WARN_EVERY_MS, (fields: object, message: string) => log.warn(fields, message));
  server.on('drop', () => {
    warn({ total }, 'too many connections; idle ones are closed and new ones refused');
    server.closeIdleConnections();
  });
  const perSite = Math.max(perAddress, Math.floor(total / 2));
  const refusal = formatRefusal(perAddress, perSite);
  const households = new Map<string, number>();
  const sites = new Map<string, number>();
  /** Counts one more until `opened` closes; reports whether that is too many. */
  const enter = (address: string, opened: EventEmitter): boolean => {
    const household = countUntilClosed(households, clientNetwork(address), opened);
    const site = countUntilClosed(sites, clientNetwork(address, IPV6_GROUPS.site), opened);
    const isCrowd = household > perAddress || site > perSite;
    if (isCrowd) warn({ perAddress, perSite }, 'too many connections of one address; more are refused');
    return isCrowd;
  };
  if (env.TRUSTED_PROXIES === 0) {
    server.on(
      'connection',
      (socket) => enter(socket.remoteAddress ?? '', socket) && refuseConnection(socket, refusal),
    );
    return () => false;
  }
  return (request, response) => {
    if (!enter(clientAddress(request, env.TRUSTED_PROXIES), response)) return false;
    const { status, headers, text } = refusal;
    response.writeHead(status, headers).end(text);
    return true;
  };
}

/** Adds one to a count until `opened` closes. @returns the new count */
function countUntilClosed(counts: Map<string, number>, key: string, opened: EventEmitter): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  opened.once('close', () => {
    const left = (counts.get(key) ?? 0) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  });
  return count;
}

/** Responds before anything is read, and closes. */
function refuseConnection(socket: Socket, refusal: FormattedProblem): void {
  socket.write(serializeProblem(refusal));
  socket.destroySoon();
}

/** Passes on a call unless the last one was less than `ms` ago. */
function throttle<Args extends unknown[]>(
  ms: number,
  call: (...args: Args) => void,
): (...args: Args) => void {
  let calledAtMs = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (performance.now() - calledAtMs < ms) return;
    calledAtMs = performance.now();
    call(...args);
  };
}
