import { expose } from 'comlink';
import { findFirstEngine } from '../../models/acceptance/find-acceptance-status.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import type { Acceptances } from '../../models/core/runtime/acceptances.ts';
import { listFiles } from '../../models/core/runtime/fit.ts';
import { setMeasurement } from '../../models/media/audio/read/measure-file.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { cancelled, type RunWorker, toOutcome } from '../bridge/protocol.ts';
import { listUncompared, webInference } from '../runtime/inference/index.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import { WebAcceptances } from './web-acceptances.ts';

/** No call ends a preparation: a run may be waiting for it. */
const { signal } = new AbortController();

/** Controller of the current run; runs are sequential. */
let controller = new AbortController();

const acceptances = new WebAcceptances({
  operations: OPERATIONS,
  createRuntime: (options) => createWebRuntime({ attachments: new Map(), ...options }),
});

const worker: RunWorker = {
  run: (operationId, { file, params, attachments, settings, measurement }, onProgress, onDraft) =>
    toOutcome(async () => {
      if (measurement) setMeasurement(file, measurement);
      controller = new AbortController();
      const operation = OPERATIONS[operationId];
      const { signal } = controller;
      const runtime = createWebRuntime({ attachments, settings, signal, onProgress, onDraft, acceptances });
      // From the header alone, before a codec is loaded.
      await operation.checkOnDevice(file, params);
      return await operation.execute(file, params, runtime);
    }),
  prepare: (operationId) => prepareOperation(OPERATIONS[operationId], acceptances).catch(() => {}),
  listUncompared,
  cancel: () => controller.abort(cancelled()),
};

expose(worker);

/**
 * Loads the pipeline of an operation, and opens the sessions that the engine which `auto` will take has open at once.
 * Downloads no weights that a visitor must ask for.
 */
async function prepareOperation(operation: Operation, acceptances: Acceptances): Promise<void> {
  await Promise.all([operation.load(), openSessions(operation, acceptances)]);
}

async function openSessions(operation: Operation, acceptances: Acceptances): Promise<void> {
  const engine = await findFirstEngine(operation, webInference, acceptances);
  const files = engine ? listFiles(engine) : [];
  // Files that are not open at once may be for other params.
  for (const card of engine?.areOpenAtOnce ? files : files.slice(0, 1))
    await webInference.use(card, { signal }, async () => {});
}
