import type { OperationId } from '../../../models/registry.ts';
import { readRunTimes } from './stored-run-times.ts';
import { getWork, type RunStart, type RunWork } from './work-of.ts';

/** Operations that this tab has run: their code and models are loaded. */
const warm = new Set<OperationId>();

/** Remembers that the next run of an operation in this tab needs not load what it takes. */
export function markWarm(operationId: OperationId): void {
  warm.add(operationId);
}

/** Facts of files by operation. The header of a recording may be all of it: it is read once, not for each setting. */
const knownFacts = new WeakMap<Blob, Map<OperationId, Promise<object>>>();

/**
 * Reads the work of a run from the header of its file, with definitions that are loaded on first use; undefined where
 * the header says nothing.
 */
export async function readRunWork(
  operationId: OperationId,
  file: Blob,
  params: object,
): Promise<RunWork | undefined> {
  try {
    return getWork(await readFacts(operationId, file), params, (unit) => getStart(operationId, unit));
  } catch {
    return undefined;
  }
}

function getStart(operationId: OperationId, unit: string): RunStart {
  if (warm.has(operationId)) return 'warm';
  return readRunTimes(operationId, unit).runs > 0 ? 'cold' : 'first';
}

function readFacts(operationId: OperationId, file: Blob): Promise<object> {
  const ofFile = knownFacts.get(file) ?? new Map<OperationId, Promise<object>>();
  knownFacts.set(file, ofFile);
  const known = ofFile.get(operationId);
  if (known) return known;
  const reading = import('../../../workers/operation/load-operations.ts')
    .then(({ loadOperations }) => loadOperations())
    .then((operations) => operations[operationId].probeOnDevice(file));
  ofFile.set(operationId, reading);
  // The definitions come over the network, which may be gone for a while.
  reading.catch(() => ofFile.delete(operationId));
  return reading;
}
