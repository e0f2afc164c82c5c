import type { Cell } from '../../../models/core/cell.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type EngineFailure, requestedEngine } from '../../../models/core/runtime/fit.ts';
import type { OperationId } from '../../../models/registry.ts';
import { describeEngineFailure } from '../failures/describe-failure.ts';
import { sessionCell } from '../session/session.ts';

/** Engines that failed on this device: by file and by the engine's id. */
export type EngineFailures = ReadonlyMap<string, Readonly<Record<string, EngineFailure>>>;

const NONE: EngineFailures = new Map();

/** Failures of an operation's engines in this tab's session. */
export function engineFailures(operationId: OperationId): Cell<EngineFailures> {
  return sessionCell(`${operationId}/failed-engines`, NONE);
}

/** Names a file alike before and after a reload. */
export function failureKey({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}

interface FailedRun {
  readonly operationId: OperationId;
  readonly file: File;
  readonly params: object;
  readonly isAutomatic: boolean;
}

/**
 * Words the failure of an engine that was chosen by name, and remembers it: it is not offered again for that file.
 * Any other failure stays as it is. Where the run started automatically, an engine that may succeed later is still offered.
 */
export async function explainEngineFailure(
  thrown: unknown,
  { operationId, file, params, isAutomatic }: FailedRun,
): Promise<unknown> {
  const engine = requestedEngine(params);
  const isOfEngine = thrown instanceof OperationError && ['unavailable', 'internal'].includes(thrown.code);
  if (engine === 'auto' || !isOfEngine) return thrown;
  const { OPERATIONS } = await import('../../../models/registry.ts');
  const name = OPERATIONS[operationId].engines?.find(({ id }) => id === engine)?.name;
  if (name === undefined) return thrown;
  const failure = describeEngineFailure(name, thrown.kind);
  if (failure === null || (isAutomatic && failure.mayRetry)) return thrown;
  const key = failureKey(file);
  engineFailures(operationId).set((before) =>
    new Map(before).set(key, { ...before.get(key), [engine]: failure }),
  );
  return new OperationError(thrown.code, failure.reason, { cause: thrown });
}
