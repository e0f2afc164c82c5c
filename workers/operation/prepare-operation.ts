import { findFirstEngine } from '../../models/acceptance/find-first-engine.ts';
import { listFiles } from '../../models/core/device/fit.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import type { Acceptances } from '../../models/core/runtime/acceptances.ts';
import { webInference } from '../runtime/inference/index.ts';

/** Nobody ends a preparation: a run may be waiting for it. */
const { signal } = new AbortController();

/**
 * Loads the pipeline of an operation, and opens the sessions that the engine which `auto` will take has open at once.
 * Downloads no weights that a visitor must ask for.
 */
export async function prepareOperation(operation: Operation, acceptances: Acceptances): Promise<void> {
  await Promise.all([operation.load(), openSessions(operation, acceptances)]);
}

async function openSessions(operation: Operation, acceptances: Acceptances): Promise<void> {
  const engine = await findFirstEngine(operation, webInference, acceptances);
  const files = engine ? listFiles(engine) : [];
  // Files that are not open at once may be for other params.
  for (const card of engine?.areOpenAtOnce ? files : files.slice(0, 1))
    await webInference.use(card, { signal }, async () => {});
}
