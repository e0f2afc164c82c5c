import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OperationLimits } from '../../../../models/core/operation/run-result.ts';
import type { ReportProgress } from '../../../../models/core/runtime/progress.ts';
import { type SpawnedChild, spawnChild } from '../../../base/children/spawn-child.ts';
import { wasStuck } from '../../../base/children/watch-child.ts';
import { isMemoryExhausted, readResidentBytes } from './memory.ts';
import type { ChildMessage, Done, Failed, RunRequest } from './protocol.ts';

/** End of a run: the child's own message, or what happened to it. */
export type RunEnd =
  | Done
  | Failed
  | { readonly kind: 'over-memory' }
  | { readonly kind: 'over-time' }
  /** Used the processor for long without progress. */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'stopped' }
  /** The machine had no memory or no place for the process. */
  | { readonly kind: 'no-process'; readonly detail: string }
  | { readonly kind: 'crashed'; readonly signal: string | null; readonly detail: string };

export interface RunOptions {
  readonly limits: Pick<OperationLimits, 'runSecondsMax' | 'memoryBytesMax'>;
  /** Ends the run and its process. */
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** Run in a process that may have done others before. */
interface WatchedRunOptions extends RunOptions {
  /** Memory of models kept warm by earlier runs: allowed beyond the run's own memory. */
  readonly modelBytes: number;
}

export interface ChildOptions {
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
  /** Memory limit that the kernel enforces on the child. */
  readonly memoryBytesMax: number;
  /** Niceness of the child's process, 0 to 19. Defaults to 0. */
  readonly niceness?: number;
}

export interface RunnerChild {
  readonly pid: number;
  /** Resolves to whether the child has loaded everything it needs; false when it ended before that. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<void>;
  /** Runs one request at a time. Never rejects. A child is usable only after the ends `done` and `failed`. */
  run(request: RunRequest, options: WatchedRunOptions): Promise<RunEnd>;
  kill(): void;
}

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const MEMORY_POLL_MS = 50;
const OUT_OF_MEMORY = /heap out of memory|allocation failed|bad_alloc|out of memory/i;
/** Whole environment of a child: a file that takes it over finds no password. */
const ENVIRONMENT = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'LD_LIBRARY_PATH', 'DATA_DIR'],
  ...[
    'MODEL_MIRROR',
    'MODELS_OFFLINE',
    'MODELS_LICENCES',
    'MODELS_DISK_MB',
    'GPL_ENCODERS',
    'INFERENCE_ENDPOINTS',
    'INFERENCE_MEMORY_MB',
  ],
];

/** Starts a child that can run the operations of a module. */
export function startChild(options: ChildOptions): RunnerChild {
  const spawned = spawnChild({ ...options, childModule: CHILD, environment: ENVIRONMENT });
  const { process: child, ready, exited } = spawned;
  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    run: (request, runOptions) => watchRun(spawned, request, runOptions),
    kill: () => void child.kill('SIGKILL'),
  };
}

async function watchRun(
  { process: child, stderr }: SpawnedChild,
  request: RunRequest,
  { limits, signal, onProgress, modelBytes }: WatchedRunOptions,
): Promise<RunEnd> {
  let killReason: RunEnd | undefined;
  const killBecause = (end: RunEnd): void => {
    killReason ??= end;
    child.kill('SIGKILL');
  };
  const stop = (): void => killBecause({ kind: 'stopped' });
  const timer = setTimeout(() => killBecause({ kind: 'over-time' }), limits.runSecondsMax * 1000);
  const bytesMax = limits.memoryBytesMax + modelBytes;
  const memory = watchMemory(child.pid ?? 0, bytesMax, () => killBecause({ kind: 'over-memory' }));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const reported = await exchange(child, request, onProgress);
    return killReason ?? reported ?? describeExit(child, stderr(), memory.isHigh());
  } finally {
    clearTimeout(timer);
    memory.stop();
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Sends a request.
 * @returns the child's response; undefined when it ends without one
 */
async function exchange(
  child: ChildProcess,
  request: RunRequest,
  onProgress: ReportProgress,
): Promise<Done | Failed | undefined> {
  const ends = new AbortController();
  try {
    return await new Promise((resolve) => {
      const onMessage = (message: ChildMessage): void => {
        if (message.kind === 'progress') onProgress(message.progress);
        else if (message.kind !== 'ready') resolve(message);
      };
      const exit = (): void => resolve(undefined);
      child.on('message', onMessage).once('exit', exit);
      ends.signal.addEventListener('abort', () => child.off('message', onMessage).off('exit', exit));
      if (child.exitCode !== null || child.signalCode !== null) exit();
      else child.send(request, (error) => error && child.kill('SIGKILL'));
    });
  } finally {
    ends.abort();
  }
}

function describeExit(child: ChildProcess, stderr: string, memoryIsHigh: boolean): RunEnd {
  const { exitCode, signalCode: signal } = child;
  if (wasStuck(stderr)) return { kind: 'stuck' };
  if (OUT_OF_MEMORY.test(stderr) && !memoryIsHigh && isMemoryExhausted())
    return { kind: 'no-process', detail: stderr };
  if (OUT_OF_MEMORY.test(stderr) || (memoryIsHigh && signal !== 'SIGKILL')) return { kind: 'over-memory' };
  return { kind: 'crashed', signal, detail: stderr || `exit code ${exitCode}` };
}

/** Polls often, since a decoder can allocate gigabytes within a second. */
function watchMemory(
  pid: number,
  bytesMax: number,
  onExceeded: () => void,
): { stop(): void; isHigh(): boolean } {
  let high = false;
  let stopped = false;
  const poll = async (): Promise<void> => {
    const bytes = await readResidentBytes(pid);
    if (stopped) return;
    if (bytes > bytesMax * 0.8) high = true;
    if (bytes > bytesMax) onExceeded();
    else timer = setTimeout(poll, MEMORY_POLL_MS);
  };
  let timer = setTimeout(poll, MEMORY_POLL_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    isHigh: () => high,
  };
}
