import type { Context, Prober } from '../base/context.ts';
import { createContext } from './create-context.ts';

interface WebState {
  readonly context: Promise<Context>;
  readonly stopping: AbortController;
}

// Next bundles each route separately: only the global object is shared by all of them in one process.
const shared: typeof globalThis & { darkroomWeb?: WebState } = globalThis;

/**
 * Returns the web process's context, made on first use.
 * @param prober of the first use, which is the process's own: bundled code cannot start its child processes
 */
export function getWebContext(prober?: Prober): Promise<Context> {
  shared.darkroomWeb ??= open(prober);
  return shared.darkroomWeb.context;
}

/** Makes requests that wait for a job respond now: the process is about to end. */
export function endWaitingRequests(): void {
  shared.darkroomWeb?.stopping.abort();
}

function open(prober: Prober | undefined): WebState {
  const stopping = new AbortController();
  const context = createContext('web').then(
    (created) => ({ ...created, stopping: stopping.signal, ...(prober && { prober }) }),
    (thrown) => {
      delete shared.darkroomWeb;
      throw thrown;
    },
  );
  return { context, stopping };
}
