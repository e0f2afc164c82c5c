import { formatSeconds } from '../../text/quantities.ts';

/** Returns the colour of a status: green for success, amber for a request at fault, red for a fault of the service. */
export function getTone(status: number): string {
  if (status < 300) return 'good';
  if (status < 400) return 'muted';
  return status < 500 ? 'warn' : 'bad';
}

/** Formats the time that a response took: `4 ms`, `1.2 s`. */
export function formatMs(ms: number): string {
  if (ms >= 999.5) return formatSeconds(ms / 1000);
  return ms < 1 ? '< 1 ms' : `${Math.round(ms)} ms`;
}

/** Names who sent a request: a key, or a member who was signed in. */
export function describeSender(key: { readonly name: string; readonly prefix: string } | null): string {
  return key ? `${key.name} (${key.prefix})` : 'Signed in';
}
