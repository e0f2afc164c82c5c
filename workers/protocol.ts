import { type ErrorCode, isErrorCode, messageOf, OperationError } from '../models/errors.ts';
import type { RunResult } from '../models/operation.ts';
import type { OperationId } from '../models/registry.ts';
import type { ReportProgress } from './runtime/progress-meter.ts';

export interface RunInput {
  readonly file: Blob;
  readonly params: unknown;
  /** Other files that params name, by the name of the param. */
  readonly attachments: ReadonlyMap<string, Blob>;
}

/** What a worker offers to the page: runs, one after the other. */
export interface RunWorker {
  run(operationId: OperationId, input: RunInput, onProgress: ReportProgress): Promise<Answer<RunResult>>;
  /** Asks the run that is under way to end soon. */
  cancel(): void;
}

/** A result or an error as plain data: structured clone would keep neither the class nor the code of an error. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: { readonly code: ErrorCode; readonly message: string } };

/** Runs `work` and makes an answer of however it ends. Never rejects. */
export async function answer<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const { code, message } = toOperationError(thrown);
    return { ok: false, error: { code, message } };
  }
}

/** @throws OperationError the one that the answer carries */
export function unwrap<Value>(answered: Answer<Value>): Value {
  if (answered.ok) return answered.value;
  const { code, message } = answered.error;
  throw new OperationError(isErrorCode(code) ? code : 'internal', message);
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
      { cause: thrown },
    );
  }
  const reason = messageOf(thrown);
  return new OperationError('internal', `The run failed on this device: ${reason}`, { cause: thrown });
}

/** V8, SpiderMonkey, JavaScriptCore and Emscripten each have words of their own for it. */
function isOutOfMemory(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    /out of memory|allocation (failed|size)|cannot enlarge memory/i.test(thrown.message)
  );
}
