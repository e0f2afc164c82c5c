import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OperationLimits } from '../../models/operation.ts';
import type { ChildMessage, Done, Failed, RunRequest } from './protocol.ts';
import { residentBytes } from './resident-memory.ts';

/** How a run ended: the child's own words, or what befell it. */
export type RunEnd =
  | Done
  | Failed
  | { readonly kind: 'over-memory' }
  | { readonly kind: 'over-time' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'crashed'; readonly signal: string | null; readonly detail: string };

export interface RunOptions {
  readonly limits: Pick<OperationLimits, 'runSecondsMax' | 'memoryBytesMax'>;
  /** Ends the run, with its process. */
  readonly signal: AbortSignal;
  onProgress(fraction: number): void;
}

/** A run in a process that may have done others before. */
interface WatchedRunOptions extends RunOptions {
  /** What networks that earlier runs left warm hold: allowed beyond the run's own memory. */
  readonly networkBytes: number;
}

export interface ChildOptions {
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
  /** The kernel refuses the child more than this. */
  readonly memoryBytesMax: number;
}

export interface RunnerChild {
  readonly pid: number;
  /** Whether the child has loaded all it needs; false when it ended before that. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<void>;
  /** One at a time. Never rejects. A child is of no more use after any end but `done`. */
  run(request: RunRequest, options: WatchedRunOptions): Promise<RunEnd>;
  kill(): void;
}

const MEMORY_POLL_MS = 50;
const STDERR_CHARS_MAX = 4_000;
const OUT_OF_MEMORY = /heap out of memory|allocation failed|bad_alloc|out of memory/i;
/** All that a child learns of our environment: a file that takes it over finds no password. */
const ENVIRONMENT = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'LD_LIBRARY_PATH', 'DATA_DIR'],
  ...['MODEL_MIRROR', 'MODELS_OFFLINE', 'INFERENCE_ENDPOINTS', 'INFERENCE_MEMORY_MB'],
];
/**
 * A run's heap is small, but large rasters beside it have it looked through often: by one thread that takes an eighth less
 * of all processors' time around a network, and no longer by the clock. `npm run bench` runs the same way.
 */
const HEAP_FLAGS = ['--single-threaded-gc'];
const require = createRequire(import.meta.url);

/** Starts a child that can run the operations of a module. */
export function startChild(options: ChildOptions): RunnerChild {
  const child = launch(options);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS_MAX);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    ready: Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]),
    exited,
    run: (request, runOptions) => watchRun(child, request, runOptions, () => stderr),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Through a shell, which sets the limit on data memory and then becomes the child: Node itself cannot set one. */
function launch({ operationsModule, memoryBytesMax }: ChildOptions): ChildProcess {
  const kibibytes = Math.floor(memoryBytesMax / 1024);
  const mebibytes = Math.floor(memoryBytesMax / 2 ** 20);
  const node = [
    process.execPath,
    `--max-old-space-size=${Math.floor(mebibytes / 2)}`,
    ...HEAP_FLAGS,
    '--import',
    pathToFileURL(require.resolve('tsx')).href,
    fileURLToPath(new URL('./child.ts', import.meta.url)),
    operationsModule,
  ];
  return spawn('/bin/sh', ['-c', `ulimit -d ${kibibytes} 2>/dev/null; exec "$@"`, 'sh', ...node], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
  });
}

async function watchRun(
  child: ChildProcess,
  request: RunRequest,
  { limits, signal, onProgress, networkBytes }: WatchedRunOptions,
  stderr: () => string,
): Promise<RunEnd> {
  let killedFor: RunEnd | undefined;
  const killFor = (end: RunEnd): void => {
    killedFor ??= end;
    child.kill('SIGKILL');
  };
  const stop = (): void => killFor({ kind: 'stopped' });
  const timer = setTimeout(() => killFor({ kind: 'over-time' }), limits.runSecondsMax * 1000);
  const bytesMax = limits.memoryBytesMax + networkBytes;
  const memory = watchMemory(child.pid ?? 0, bytesMax, () => killFor({ kind: 'over-memory' }));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const reported = await exchange(child, request, onProgress);
    return killedFor ?? reported ?? describeExit(child, stderr(), memory.isHigh());
  } finally {
    clearTimeout(timer);
    memory.stop();
    signal.removeEventListener('abort', stop);
  }
}

/** @returns what the child answers; undefined when it ends without an answer */
async function exchange(
  child: ChildProcess,
  request: RunRequest,
  onProgress: (fraction: number) => void,
): Promise<Done | Failed | undefined> {
  const ends = new AbortController();
  try {
    return await new Promise((resolve) => {
      const hear = (message: ChildMessage): void => {
        if (message.kind === 'progress') onProgress(message.fraction);
        else if (message.kind !== 'ready') resolve(message);
      };
      const exit = (): void => resolve(undefined);
      child.on('message', hear).once('exit', exit);
      ends.signal.addEventListener('abort', () => child.off('message', hear).off('exit', exit));
      if (child.exitCode !== null || child.signalCode !== null) exit();
      else child.send(request, (error) => error && child.kill('SIGKILL'));
    });
  } finally {
    ends.abort();
  }
}

function describeExit(child: ChildProcess, stderr: string, memoryIsHigh: boolean): RunEnd {
  const { exitCode, signalCode: signal } = child;
  if (OUT_OF_MEMORY.test(stderr) || (memoryIsHigh && signal !== 'SIGKILL')) return { kind: 'over-memory' };
  return { kind: 'crashed', signal, detail: stderr || `exit code ${exitCode}` };
}

/** Looks often, since a decoder can allocate gigabytes within a second. */
function watchMemory(
  pid: number,
  bytesMax: number,
  onExceeded: () => void,
): { stop(): void; isHigh(): boolean } {
  let high = false;
  let stopped = false;
  const look = async (): Promise<void> => {
    const bytes = await residentBytes(pid);
    if (stopped) return;
    if (bytes > bytesMax * 0.8) high = true;
    if (bytes > bytesMax) onExceeded();
    else timer = setTimeout(look, MEMORY_POLL_MS);
  };
  let timer = setTimeout(look, MEMORY_POLL_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    isHigh: () => high,
  };
}
