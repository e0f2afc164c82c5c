import type { Context } from '../context.ts';
import { createContext } from '../process-context.ts';

// Next bundles each route by itself: only the global object is common to all of them in one process.
const shared = globalThis as typeof globalThis & { darkroomContext?: Promise<Context> };

/** The web process's context, made on first use. */
export function webContext(): Promise<Context> {
  shared.darkroomContext ??= createContext('web').catch((thrown) => {
    delete shared.darkroomContext;
    throw thrown;
  });
  return shared.darkroomContext;
}
