import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { getKeys } from '../../../models/core/records.ts';
import { removeFoldersOfDead } from '../own-folders.ts';
import { type ChildModules, compileChildCode } from './compile-child-code.ts';
import { type ChildFolder, type IsolatedChild, type Isolation, isolateChild } from './isolation.ts';

export interface SpawnOptions extends ChildModules {
  /** Memory limit that the kernel enforces on the child. */
  readonly memoryBytesMax: number;
  /** Names of the environment variables that the child gets. */
  readonly environment: readonly string[];
  /** Niceness of the child's process, 0 to 19. Defaults to 0. */
  readonly niceness?: number;
  /** What keeps it from the files and processes of others. Without it, it has its parent's rights. */
  readonly isolation?: Isolation | undefined;
}

export interface SpawnedChild {
  readonly process: ChildProcess;
  /** Folder through which it gets and gives files; absent where it takes paths as they are. */
  readonly folder?: ChildFolder | undefined;
  /** Returns the id of the process that works: a wrapper around it may have been started instead. */
  workPid(): number;
  /** Returns the signal that has ended the process that works, if one has. */
  endSignal(): NodeJS.Signals | null;
  /** Resolves with its first message, to true; to false when it ends before. */
  readonly ready: Promise<boolean>;
  /** Resolves when it has ended, or could not be started. */
  readonly exited: Promise<void>;
  /** Returns the end of what it has written to its standard error. */
  stderr(): string;
}

const STDERR_CHARS_MAX = 4_000;

/**
 * Addresses that V8 reserves for code from Node 24 on. The kernel counts them as data, though hardly any is ever used.
 */
const CODE_RANGE_BYTES = Number.parseInt(process.versions.node, 10) >= 24 ? 512 * 2 ** 20 : 0;

/**
 * A run's heap is small, but large rasters outside it trigger frequent collections: one thread for them saves an
 * eighth of all CPU time around a model, and costs no wall time. `npm run bench` runs the same way.
 */
const HEAP_FLAGS = ['--single-threaded-gc'];

/**
 * Starts a process through a shell, which sets the limit on data memory and then becomes the child: Node itself
 * cannot set one. Niceness is set before the child has threads: later it would apply to its first thread only.
 */
export function spawnChild(options: SpawnOptions): SpawnedChild {
  const { memoryBytesMax, environment, niceness = 0, isolation, ...modules } = options;
  const isolated: IsolatedChild = isolation ? isolateChild(isolation) : { command: [] };
  const { command, folder } = isolated;
  const kibibytes = Math.floor((memoryBytesMax + CODE_RANGE_BYTES) / 1024);
  const mebibytes = Math.floor(memoryBytesMax / 2 ** 20);
  const node = [
    ...command,
    process.execPath,
    `--max-old-space-size=${Math.floor(mebibytes / 2)}`,
    ...HEAP_FLAGS,
    '--input-type=module',
    '-',
  ];
  const become = niceness > 0 ? `exec nice -n ${niceness} "$@"` : 'exec "$@"';
  const own = folder && { TMPDIR: folder.temporary, WEIGHTS_FROM_PARENT: '1' };
  // Next's types require a NODE_ENV.
  const env = {
    ...Object.fromEntries(environment.map((name) => [name, process.env[name]])),
    ...own,
  } as NodeJS.ProcessEnv;
  const child = spawn('/bin/sh', ['-c', `ulimit -d ${kibibytes} 2>/dev/null; ${become}`, 'sh', ...node], {
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    env,
  });
  // A child that ends before it has read its code reports so by its exit.
  child.stdin?.on('error', () => {});
  compileChildCode(modules).then(
    (code) => child.stdin?.end(code),
    (cause: unknown) => child.stdin?.end(`throw new Error(${JSON.stringify(getMessage(cause))})`),
  );
  return watch(child, isolated);
}

/** Returns the last descendant of a process, each of which has one child at most. */
function findInnermost(pid: number): number {
  try {
    const child = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'), 10);
    return child > 0 ? findInnermost(child) : pid;
  } catch {
    return pid;
  }
}

function toSignal(exitCode: number | null): NodeJS.Signals | null {
  const { signals } = constants;
  return getKeys(signals).find((name) => signals[name] + 128 === exitCode) ?? null;
}

function watch(child: ChildProcess, { command, folder }: IsolatedChild): SpawnedChild {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS_MAX);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => resolve());
  });
  // A killed child leaves what it has copied.
  void exited.then(() => (folder ? folder.remove() : removeFoldersOfDead(tmpdir()).catch(() => {})));
  const started = once(child, 'message').then(
    () => true,
    () => false,
  );
  const ready = Promise.race([started, exited.then(() => false)]);
  const workPid = () => (command[0] === 'bwrap' ? findInnermost(child.pid ?? 0) : (child.pid ?? 0));
  // A wrapper tells the signal as a shell does.
  const endSignal = () => child.signalCode ?? (command[0] === 'bwrap' ? toSignal(child.exitCode) : null);
  return { process: child, folder, workPid, endSignal, ready, exited, stderr: () => stderr };
}
