import type { Env } from './env.ts';

/** Reports whether the service is for this machine only. */
export function isLocal({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): boolean {
  return isLoopback(new URL(PUBLIC_URL).hostname);
}

/** Reports whether a host name is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}
