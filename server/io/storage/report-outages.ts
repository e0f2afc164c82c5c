import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Storage } from '../../base/context/storage.ts';
import { awaitRecovery, RECOVERY_MS } from '../../base/database/await-recovery.ts';
import { OutageError } from '../../base/outage.ts';

/** Errors that JavaScript itself throws for a wrong value or name: the stores' own errors are none of these. */
const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * Makes a store wait for its own recovery, and report an outage as `OutageError`. Errors of ours pass unchanged.
 * @param timeoutMs longest wait of a call
 */
export function reportOutages(storage: Storage, timeoutMs = RECOVERY_MS): Storage {
  const call = <T>(step: () => Promise<T>): Promise<T> =>
    awaitRecovery(() => step().catch(throwOutage), isOutage, timeoutMs);
  return {
    putFile: (key, path, mediaType) => call(() => storage.putFile(key, path, mediaType)),
    get: (key, range) => call(() => storage.get(key, range)),
    toLocalFile: (key, directory) => call(() => storage.toLocalFile(key, directory)),
    delete: (key) => call(() => storage.delete(key)),
    async *list(prefix, before) {
      try {
        yield* storage.list(prefix, before);
      } catch (thrown) {
        throwOutage(thrown);
      }
    },
    // Whoever asks wants to know about now.
    check: () => storage.check().catch(throwOutage),
  };
}

function isOutage(thrown: unknown): boolean {
  return thrown instanceof OutageError;
}

function throwOutage(thrown: unknown): never {
  const isOurs = thrown instanceof OperationError || BUGS.some((kind) => thrown instanceof kind);
  throw isOurs ? thrown : new OutageError('store', thrown);
}
