import {
  ACCEPTANCE_VERSION,
  findAcceptanceStatus,
  findEngine,
  UNTESTED,
} from '../../models/acceptance/find-acceptance-status.ts';
import { type Acceptance, measureEngine } from '../../models/acceptance/measure-engine.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import type {
  AcceptanceStatus,
  Acceptances,
  MeasuringOptions,
} from '../../models/core/runtime/acceptances.ts';
import { listFiles, type OperationEngine } from '../../models/core/runtime/fit.ts';
import type { Runtime } from '../../models/core/runtime/runtime.ts';
import { keepByKey } from '../runtime/browser-store.ts';
import { inferenceDevice } from '../runtime/inference/report-device.ts';

/** Acceptances that this device has measured. Where the browser stores nothing, each worker measures for itself. */
const stored = keepByKey<Acceptance>('darkroom-acceptance', 'acceptances');

export interface WebAcceptancesOptions {
  readonly operations: Readonly<Record<string, Operation>>;
  /** Creates the runtime of a test; its inference must have no acceptances. */
  createRuntime(options: Required<MeasuringOptions>): Runtime;
}

/**
 * Acceptance tests in this worker: what a visitor has downloaded is measured before its first use, once for each hash
 * and provider. Bundled engines count as recorded.
 */
export class WebAcceptances implements Acceptances {
  readonly #options: WebAcceptancesOptions;
  /** Results of this worker, for browsers that store nothing. */
  readonly #known = new Map<string, Acceptance>();

  constructor(options: WebAcceptancesOptions) {
    this.#options = options;
  }

  async find(operationId: string, engineId: string): Promise<AcceptanceStatus> {
    const found = findEngine(this.#options.operations, operationId, engineId);
    if (!found) return UNTESTED;
    const key = await getKey(found.engine);
    return findAcceptanceStatus(
      found.operation,
      found.engine,
      this.#known.get(key) ?? (await stored.read(key)) ?? null,
    );
  }

  async measure(
    operationId: string,
    engineId: string,
    { signal, onProgress = () => {} }: MeasuringOptions,
  ): Promise<AcceptanceStatus> {
    const found = findEngine(this.#options.operations, operationId, engineId);
    if (!found) return UNTESTED;
    const { operation, engine } = found;
    try {
      const runtime = this.#options.createRuntime({ signal, onProgress });
      const acceptance = await measureEngine(operation, engineId, {
        runtime,
        sample: (name) => fetchSample(name, signal),
      });
      const key = await getKey(engine);
      this.#known.set(key, acceptance);
      await stored.write(key, acceptance);
      return findAcceptanceStatus(operation, engine, acceptance);
    } catch (thrown) {
      if (!(thrown instanceof SampleMissing)) throw thrown;
      // Without a network nothing can be measured: the run itself shows what the engine does.
      return UNTESTED;
    }
  }
}

/** Failure to fetch a sample. */
class SampleMissing extends OperationError {}

async function fetchSample(name: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(`/acceptance/${name}`, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  if (response?.ok) return await response.blob();
  throw new SampleMissing('unavailable', `${name} cannot be fetched.`, { kind: 'part_missing' });
}

async function getKey(engine: OperationEngine): Promise<string> {
  const { gpu } = await inferenceDevice();
  const hashes = listFiles(engine).map(({ sha256 }) => sha256);
  return JSON.stringify([ACCEPTANCE_VERSION, hashes, gpu ? 'webgpu' : 'wasm']);
}
