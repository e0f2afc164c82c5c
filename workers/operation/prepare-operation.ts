import { findFirstEngine } from '../../models/acceptance/find-first-engine.ts';
import type { Operation } from '../../models/operation/define-operation.ts';
import type { Acceptances } from '../../models/runtime/acceptances.ts';
import { webInference } from '../runtime/inference/index.ts';

/** Nobody ends a preparation: a run may be waiting for it. */
const { signal } = new AbortController();

/**
 * Loads the pipeline of an operation, and opens a session of the engine that `auto` will take. Downloads no weights
 * that a visitor must ask for.
 */
export async function prepareOperation(operation: Operation, acceptances: Acceptances): Promise<void> {
  await Promise.all([operation.load(), openSession(operation, acceptances)]);
}

async function openSession(operation: Operation, acceptances: Acceptances): Promise<void> {
  const engine = await findFirstEngine(operation, webInference, acceptances);
  // A method without a model needs none. The other files of an engine may be for other params.
  if (engine?.card) await webInference.use(engine.card, { signal }, async () => {});
}
