import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import {
  type Device,
  type EngineFailure,
  fitRun,
  type RunFit,
  requestedEngine,
} from '../../../models/core/runtime/fit.ts';
import type { OperationId } from '../../../models/registry.ts';
import { readDevice } from '../../../workers/device/read-device.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { explainFailure } from '../failures/explain-failure.ts';
import type { BatchItem, RunRequest } from './batch.ts';

/** One run to decide on. */
export interface PlannedRun {
  readonly file: File;
  readonly params: object;
  /** Engines that failed on this device with this file, by id. */
  readonly failures?: Readonly<Record<string, EngineFailure>> | undefined;
}

/**
 * Decides where each run of an operation can take place. Loads the operation definitions on first use, so that no
 * page bundle contains them.
 * @returns the fits in the order of the runs
 */
export async function readFits(
  operationId: OperationId,
  runs: readonly PlannedRun[],
): Promise<readonly RunFit[]> {
  const [{ loadOperations }, device] = await Promise.all([
    import('../../../workers/operation/load-operations.ts'),
    readDevice(),
  ]);
  const { [operationId]: operation } = await loadOperations();
  return Promise.all(runs.map((run) => readFit(operation, run, device)));
}

/** Returns the files that this device may run; all of them where nothing can be decided. */
export async function filesForDevice(
  operationId: OperationId,
  items: readonly BatchItem[],
  { paramsFor }: Pick<RunRequest, 'paramsFor'>,
): Promise<readonly BatchItem[]> {
  const runs = items.map(({ file }) => ({ file, params: paramsFor(file) }));
  const fits = await readFits(operationId, runs).catch(() => []);
  return items.filter((_item, at) => fits[at]?.run.verdict !== 'server');
}

async function readFit(
  operation: Operation & { readonly id: OperationId },
  { file, params, failures = {} }: PlannedRun,
  device: Device,
): Promise<RunFit> {
  try {
    const needs = await operation.checkOnDevice(file, params);
    const { engines = [] } = operation;
    const request = { engines, engine: requestedEngine(params), needs, failures };
    const fit = fitRun({ ...request, serverRefusal: null }, device);
    // Reading the file again for the server is for those that need it.
    if (fit.run.verdict !== 'server') return fit;
    return fitRun({ ...request, serverRefusal: await getServerRefusal(operation, file, params) }, device);
  } catch (thrown) {
    const reason = describeFailure(await explainFailure(thrown, file, operation.id));
    const verdict = isUnavailable(thrown) ? 'server' : 'nowhere';
    return { run: { verdict, reason }, engines: new Map() };
  }
}

/** Reports whether only this page cannot read a file. */
export function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof OperationError && thrown.code === 'unavailable';
}

/** Says why the server would not run a file; null when it would. */
async function getServerRefusal(operation: Operation, file: File, params: object): Promise<string | null> {
  const sizes = Object.values(operation.inputs).map(({ bytesMax }) => bytesMax);
  const bytesMax = Math.max(...sizes.map((size) => size ?? operation.limits.inputBytesMax));
  if (file.size > bytesMax) return `Our server takes at most ${bytesMax / 1e6} MB.`;
  const isTaken = await operation.quote(file, params).then(() => true, isUnavailable);
  return isTaken ? null : 'Our server does not read this kind of file.';
}
