import { listFiles } from '../../models/device/fit.ts';
import { listOwnEngines } from '../../models/device/own-engines.ts';
import type { Operation } from '../../models/operation/define-operation.ts';
import { webInference } from '../runtime/inference/index.ts';

/** Nobody ends a preparation: a run may be waiting for it. */
const { signal } = new AbortController();

/**
 * Loads the pipeline of an operation, and opens a session of the engine that `auto` will take. Downloads no weights
 * that a visitor must ask for.
 */
export async function prepareOperation(operation: Operation): Promise<void> {
  await Promise.all([operation.load(), openSession(operation)]);
}

async function openSession(operation: Operation): Promise<void> {
  for (const engine of listOwnEngines(operation)) {
    const { card, isOptIn } = engine;
    if (isOptIn) continue;
    // A method without a model.
    if (!card) return;
    const found = await Promise.all(listFiles(engine).map((each) => webInference.availability(each)));
    if (!found.every((each) => each === 'ready')) continue;
    // Its other files may be for other params.
    return await webInference.use(card, { signal }, async () => {});
  }
}
