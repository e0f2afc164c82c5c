import type { Transport } from './transport.ts';

/** Time that the service has to confirm. */
const WAIT_MS = 5_000;

/**
 * Deletes what its caller has left behind: a job, or an upload that is not whole. It may be gone already, and the page
 * may close meanwhile: the caller learns nothing of either.
 */
export async function deleteQuietly(transport: Transport, path: string): Promise<void> {
  const signal = AbortSignal.timeout(WAIT_MS);
  await transport.open(path, { method: 'DELETE', keepalive: true, signal }).catch(() => {});
}
