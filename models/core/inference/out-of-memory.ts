import { OperationError } from '../operation/errors.ts';

/** Wordings of V8, SpiderMonkey, JavaScriptCore, Emscripten and onnxruntime. */
const WORDINGS = /out of memory|allocation (failed|size)|cannot enlarge memory|failed to allocate|bad_alloc/i;

/** Recognises an out-of-memory error. */
export function isOutOfMemory(thrown: unknown): boolean {
  if (thrown instanceof OperationError) return thrown.kind === 'out_of_memory';
  return thrown instanceof Error && WORDINGS.test(thrown.message);
}
