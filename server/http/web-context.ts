import type { Context } from '../context.ts';
import { createContext } from '../process-context.ts';

interface Web {
  readonly context: Promise<Context>;
  readonly stopping: AbortController;
}

// Next bundles each route by itself: only the global object is common to all of them in one process.
const shared = globalThis as typeof globalThis & { darkroomWeb?: Web };

/** The web process's context, made on first use. */
export function webContext(): Promise<Context> {
  shared.darkroomWeb ??= open();
  return shared.darkroomWeb.context;
}

/** Lets requests that wait for a job be answered now: the process is about to end. */
export function endWaiting(): void {
  shared.darkroomWeb?.stopping.abort();
}

function open(): Web {
  const stopping = new AbortController();
  const context = createContext('web').then(
    (created) => ({ ...created, stopping: stopping.signal }),
    (thrown) => {
      delete shared.darkroomWeb;
      throw thrown;
    },
  );
  return { context, stopping };
}
