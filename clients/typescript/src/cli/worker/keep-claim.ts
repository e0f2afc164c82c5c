import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Transport } from '../../transport.ts';

/** Reports within a lease, so that one may be lost. */
const REPORTS_PER_LEASE = 4;

interface Keeping {
  readonly transport: Transport;
  readonly claimPath: string;
  readonly leaseSeconds: number;
  /** Returns the share of the job that is done, 0 to 1. */
  readonly progress: () => number;
  /** Called when the service says that the job is no longer this worker's. */
  readonly onOver: (reason: Error) => void;
}

/**
 * Reports the progress of a job again and again, which keeps it. A report that does not arrive is followed by the next
 * one: the job stays this worker's until another takes it.
 * @returns a function that ends it
 */
export function startKeeping({ transport, claimPath, leaseSeconds, progress, onOver }: Keeping): () => void {
  const ended = new AbortController();
  let isReporting = false;
  const report = async (): Promise<void> => {
    if (isReporting) return;
    isReporting = true;
    const body = { progress: progress() };
    try {
      await transport.json(`${claimPath}/progress`, { method: 'POST', body, signal: ended.signal });
    } catch (thrown) {
      if (!ended.signal.aborted && isOver(thrown)) onOver(thrown);
    } finally {
      isReporting = false;
    }
  };
  const timer = setInterval(() => void report(), (leaseSeconds * 1000) / REPORTS_PER_LEASE);
  return () => {
    clearInterval(timer);
    ended.abort();
  };
}

/** Reports whether an error says that a claim is no longer this worker's. */
export function isOver(thrown: unknown): thrown is ConflictError | NotFoundError {
  return thrown instanceof ConflictError || thrown instanceof NotFoundError;
}
