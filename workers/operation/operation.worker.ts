import { expose } from 'comlink';
import { OPERATIONS } from '../../models/registry.ts';
import { cancelled, type RunWorker, toOutcome } from '../bridge/protocol.ts';
import { WebAcceptances } from '../runtime/acceptance/web-acceptances.ts';
import { listUncompared } from '../runtime/inference/index.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import { prepareOperation } from './prepare-operation.ts';

/** Controller of the current run; runs are sequential. */
let controller = new AbortController();

const acceptances = new WebAcceptances({
  operations: OPERATIONS,
  createRuntime: (options) => createWebRuntime({ attachments: new Map(), ...options }),
});

const worker: RunWorker = {
  run: (operationId, { file, params, attachments, settings }, onProgress, onDraft) =>
    toOutcome(async () => {
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
