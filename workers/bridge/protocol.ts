import { isOutOfMemory } from '../../models/core/inference/model-errors.ts';
import { getMessage, isErrorCode, OperationError } from '../../models/core/operation/errors.ts';
import type { RunResult } from '../../models/core/operation/run-result.ts';
import type { ReportDraft, ReportProgress } from '../../models/core/runtime/progress.ts';
import type { Measurement } from '../../models/media/audio/read/measure-file.ts';
import type { DeviceSettings } from '../../models/media/image/device-settings.ts';
import type { OperationId, RunnableId } from '../../models/registry.ts';
import type { GpuRun } from '../runtime/inference/gpu-runs.ts';

export interface RunInput {
  readonly file: Blob;
  readonly params: unknown;
  /** Further files that params name, by param name. */
  readonly attachments: ReadonlyMap<string, Blob>;
  readonly settings: DeviceSettings;
  /** Measurement of the file by FFmpeg that the page has made; null where there is none. */
  readonly measurement: Measurement | null;
}

/** Interface of a worker to the page: sequential runs. */
export interface RunWorker {
  run(
    operationId: RunnableId,
    input: RunInput,
    onProgress: ReportProgress,
    onDraft?: ReportDraft,
  ): Promise<Outcome<RunResult>>;
  /** Loads what the next run of an operation most likely needs. Never rejects. */
  prepare(operationId: OperationId): Promise<void>;
  /** Lists runs on the GPU that no run has compared with WebAssembly. Never rejects. */
  listUncompared(): Promise<readonly GpuRun[]>;
  /** Asks the current run to end soon. */
  cancel(): void;
}

/** Result or error as plain data: structured clone keeps neither the class nor the code of an error. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Pick<OperationError, 'code' | 'message' | 'kind'> };

/** Runs `work` and wraps its outcome. Never rejects. */
export async function toOutcome<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const { code, message, kind } = toOperationError(thrown);
    return { ok: false, error: { code, message, kind } };
  }
}

/**
 * Unwraps an outcome.
 * @throws OperationError that it carries
 */
export function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value;
  const { code, message, kind } = outcome.error;
  throw new OperationError(isErrorCode(code) ? code : 'internal', message, { kind });
}

export function cancelled(): OperationError {
  return new OperationError('cancelled', 'The run was cancelled.');
}

function toOperationError(thrown: unknown): OperationError {
  if (thrown instanceof OperationError) return thrown;
  if (isOutOfMemory(thrown)) {
    return new OperationError(
      'unavailable',
      'This device ran out of memory. Close other tabs, send a smaller file, or run it on the server.',
      { kind: 'out_of_memory', cause: thrown },
    );
  }
  const reason = getMessage(thrown);
  return new OperationError('internal', `The run failed on this device: ${reason}`, {
    kind: 'fault',
    cause: thrown,
  });
}
