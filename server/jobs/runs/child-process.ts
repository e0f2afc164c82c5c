import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { getMessage } from '../../../models/core/operation/errors.ts';
import type { RunLimits } from '../../../models/core/operation/run-result.ts';
import type { Loading, ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { Isolation } from '../../base/children/isolation.ts';
import { type SpawnedChild, spawnChild } from '../../base/children/spawn-child.ts';
import { wasStuck } from '../../base/children/watch-child.ts';
import { findOutage } from '../../base/outage.ts';
import { isMemoryExhausted, readProcessorSeconds, readResidentBytes } from './memory.ts';
import type { ChildMessage, Done, Failed, RunRequest, WeightsReply } from './protocol.ts';

/** End of a run: the child's own message, or what happened to it. */
export type RunEnd = RunOutcome & {
  /** Processor time of the child for this run, in seconds; absent where none was measured. */
  readonly processorSeconds?: number | undefined;
};

type RunOutcome =
  | Done
  | Failed
  | { readonly kind: 'over-memory' }
  | { readonly kind: 'over-time' }
  /** Used more processor time than it may. */
  | { readonly kind: 'over-processor' }
  /** Used the processor for long without progress. */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'stopped' }
  /** The machine had no memory or no place for the process. */
  | { readonly kind: 'no-process'; readonly detail: string }
  | { readonly kind: 'crashed'; readonly signal: string | null; readonly detail: string };

export interface RunOptions {
  readonly limits: RunLimits;
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
  /** What keeps the child from the files of others. Without it, it has its parent's rights. */
  readonly isolation?: Isolation | undefined;
  /** Weights for an isolated child, which may only read their folder. */
  readonly weights?: LentWeights | undefined;
}

/** Weights of this machine, for children that may only read them. */
export interface LentWeights {
  /**
   * Fetches a file that is missing or damaged.
   * @throws OperationError `unavailable` with the reason
   */
  fetch(id: string, options: { signal: AbortSignal; onProgress: (loading: Loading) => void }): Promise<void>;
  /** Notes that files were used: the least recently used ones make room for others. */
  noteUse(ids: readonly string[]): void;
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
const POLL_MS = 50;
const TELL_EVERY_MS = 200;
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
  const { weights, ...spawning } = options;
  const spawned = spawnChild({ ...spawning, childModule: CHILD, environment: ENVIRONMENT });
  const { process: child, workPid, ready, exited } = spawned;
  return {
    get pid() {
      return workPid();
    },
    ready,
    exited,
    run: (request, runOptions) => runWithLoans(spawned, request, { ...runOptions, weights }),
    kill: () => void child.kill('SIGKILL'),
  };
}

interface LendingRunOptions extends WatchedRunOptions {
  readonly weights: LentWeights | undefined;
}

/** Lends the files of a run to a child that cannot reach them by itself, and takes what it makes. Never rejects. */
async function runWithLoans(
  child: SpawnedChild,
  request: RunRequest,
  options: LendingRunOptions,
): Promise<RunEnd> {
  const { folder } = child;
  if (!folder) return await watchRun(child, request, options);
  const names = Object.keys(request.attachmentPaths);
  const lend = async (name: string, path: string) => [name, await folder.lend(path, `attachment-${name}`)];
  try {
    const outputDirectory = await folder.makeFolder('out');
    const lent: RunRequest = {
      ...request,
      inputPath: await folder.lend(request.inputPath, 'input'),
      attachmentPaths: Object.fromEntries(
        await Promise.all(names.map((name) => lend(name, request.attachmentPaths[name] ?? ''))),
      ),
      outputDirectory,
    };
    const end = await watchRun(child, lent, options);
    if (end.kind !== 'done') return end;
    await folder.take(outputDirectory, end.files, request.outputDirectory);
    options.weights?.noteUse(end.weights.map(({ id }) => id));
    return end;
  } catch (thrown) {
    return failByFault(thrown);
  } finally {
    await folder.drop('input', 'out', ...names.map((name) => `attachment-${name}`)).catch(() => {});
  }
}

/** Ends a run by a fault around it: of the disk, or of the child, which is replaced. */
function failByFault(thrown: unknown): RunEnd {
  const outage = findOutage(thrown);
  return {
    kind: 'failed',
    code: 'internal',
    message: 'an internal error ended the run',
    detail: getMessage(thrown),
    isInputRejected: false,
    modelBytes: 0,
    ...(outage && { outage: outage.dependency, code: outage.code, message: outage.message }),
  };
}

async function watchRun(
  spawned: SpawnedChild,
  request: RunRequest,
  { limits, signal, onProgress, modelBytes, weights }: LendingRunOptions,
): Promise<RunEnd> {
  const { process: child, workPid } = spawned;
  let killReason: RunOutcome | undefined;
  const killBecause = (end: RunOutcome): void => {
    killReason ??= end;
    child.kill('SIGKILL');
  };
  const stop = (): void => killBecause({ kind: 'stopped' });
  const timer = setTimeout(() => killBecause({ kind: 'over-time' }), limits.runSecondsMax * 1000);
  const bytesMax = limits.memoryBytesMax + modelBytes;
  const use = watchUse(workPid, { bytesMax, processorSecondsMax: limits.processorSecondsMax }, (kind) =>
    killBecause({ kind }),
  );
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const reported = await exchange(child, request, { onProgress, weights, signal });
    const processorSeconds = use.readProcessorSeconds();
    return { ...(killReason ?? reported ?? describeExit(spawned, use.isHigh())), processorSeconds };
  } finally {
    clearTimeout(timer);
    use.stop();
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
  { onProgress, weights, signal }: Pick<LendingRunOptions, 'onProgress' | 'weights' | 'signal'>,
): Promise<Done | Failed | undefined> {
  const ends = new AbortController();
  try {
    return await new Promise((resolve) => {
      const onMessage = (message: ChildMessage): void => {
        if (message.kind === 'progress') onProgress(message.progress);
        else if (message.kind === 'weights') void fetchFor(child, message.id, weights, signal);
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

/** Fetches weights for a child, and tells it how far that is. Never rejects. */
async function fetchFor(
  child: ChildProcess,
  id: string,
  weights: LentWeights | undefined,
  signal: AbortSignal,
): Promise<void> {
  const send = (reply: WeightsReply): void => void (child.connected && child.send(reply, () => {}));
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const onProgress = (loading: Loading): void => {
    if (performance.now() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = performance.now();
    send({ kind: 'weights-loading', id, loading });
  };
  try {
    if (!weights) throw new Error(`${id}: this process lends no weights`);
    await weights.fetch(id, { signal, onProgress });
    send({ kind: 'weights-end', id });
  } catch (thrown) {
    send({ kind: 'weights-end', id, refusal: getMessage(thrown) });
  }
}

function describeExit(
  { process: { exitCode }, endSignal, stderr: readStderr }: SpawnedChild,
  memoryIsHigh: boolean,
): RunOutcome {
  const [signal, stderr] = [endSignal(), readStderr()];
  if (wasStuck(stderr)) return { kind: 'stuck' };
  if (OUT_OF_MEMORY.test(stderr) && !memoryIsHigh && isMemoryExhausted())
    return { kind: 'no-process', detail: stderr };
  if (OUT_OF_MEMORY.test(stderr) || (memoryIsHigh && signal !== 'SIGKILL')) return { kind: 'over-memory' };
  return { kind: 'crashed', signal, detail: stderr || `exit code ${exitCode}` };
}

interface UseLimits {
  readonly bytesMax: number;
  readonly processorSecondsMax: number | undefined;
}

interface ProcessUse {
  stop(): void;
  /** Reports whether the memory has come close to its limit. */
  isHigh(): boolean;
  /** Returns the processor time since the start; undefined where it cannot be read. */
  readProcessorSeconds(): number | undefined;
}

/** Polls often, since a decoder can allocate gigabytes within a second. */
function watchUse(
  getPid: () => number,
  { bytesMax, processorSecondsMax = Number.POSITIVE_INFINITY }: UseLimits,
  onExceeded: (kind: 'over-memory' | 'over-processor') => void,
): ProcessUse {
  const startSeconds = readProcessorSeconds(getPid());
  let usedSeconds = 0;
  // A process that has ended has no time any more: the last one read counts.
  const measure = (pid: number): number => {
    usedSeconds = Math.max(usedSeconds, (readProcessorSeconds(pid) ?? 0) - (startSeconds ?? 0));
    return usedSeconds;
  };
  let high = false;
  let stopped = false;
  const poll = async (): Promise<void> => {
    const pid = getPid();
    const bytes = await readResidentBytes(pid);
    if (stopped) return;
    const seconds = measure(pid);
    if (bytes > bytesMax * 0.8) high = true;
    if (bytes > bytesMax) onExceeded('over-memory');
    else if (seconds > processorSecondsMax) onExceeded('over-processor');
    else timer = setTimeout(poll, POLL_MS);
  };
  let timer = setTimeout(poll, POLL_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    isHigh: () => high,
    readProcessorSeconds: () => (startSeconds === undefined ? undefined : measure(getPid())),
  };
}
