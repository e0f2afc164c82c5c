import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnChild } from '../../base/children/spawn-child.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import type { MeasureMessage, MeasureRequest } from './acceptance-child.ts';

const CHILD = fileURLToPath(new URL('./acceptance-child.ts', import.meta.url));
const ENVIRONMENT = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'LD_LIBRARY_PATH', 'DATA_DIR'],
  ...['MODEL_MIRROR', 'MODELS_OFFLINE', 'MODELS_LICENCES', 'MODELS_DISK_MB'],
  ...['INFERENCE_ENDPOINTS', 'INFERENCE_MEMORY_MB'],
];
/** Yields the processor to every job. */
const NICENESS = 15;
/** Longest test: the slowest models need minutes for each sample. */
const MS_MAX = 30 * 60_000;
/** Memory in addition to that of models: rasters of a megapixel, codecs and the program. */
const BASE_BYTES = 1_500_000_000;

export interface MeasureInChildOptions {
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
  /** Limit of the models' memory. */
  readonly modelBytesMax: number;
  /** Ends the test and its process. */
  readonly signal: AbortSignal;
}

/**
 * Measures an engine in a separate process, into the store.
 * @throws Error with the reason when it could not be measured
 */
export async function measureInChild(
  request: MeasureRequest,
  { operationsModule, modelBytesMax, signal }: MeasureInChildOptions,
): Promise<void> {
  const {
    process: child,
    ready,
    exited,
    stderr,
  } = spawnChild({
    childModule: CHILD,
    operationsModule,
    environment: ENVIRONMENT,
    memoryBytesMax: BASE_BYTES + modelBytesMax,
    niceness: NICENESS,
  });
  const limit = createTimeoutSignal(MS_MAX, signal);
  const end = () => void child.kill('SIGKILL');
  limit.addEventListener('abort', end);
  if (limit.aborted) end();
  try {
    if (!(await ready)) throw new Error(stderr() || 'the process could not be started');
    const responded = once(child, 'message') as Promise<[MeasureMessage]>;
    child.send(request);
    const response = await Promise.race([responded, exited]);
    if (!response) throw new Error(stderr() || 'the process ended without a result');
    const [message] = response;
    if (message.kind === 'broken') throw new Error(message.detail);
  } finally {
    limit.removeEventListener('abort', end);
    end();
  }
}
