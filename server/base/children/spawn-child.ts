import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { type ChildModules, compileChildCode } from './compile-child-code.ts';

export interface SpawnOptions extends ChildModules {
  /** Memory limit that the kernel enforces on the child. */
  readonly memoryBytesMax: number;
  /** Names of the environment variables that the child gets. */
  readonly environment: readonly string[];
  /** Niceness of the child's process, 0 to 19. Defaults to 0. */
  readonly niceness?: number;
}

export interface SpawnedChild {
  readonly process: ChildProcess;
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
  const { memoryBytesMax, environment, niceness = 0, ...modules } = options;
  const kibibytes = Math.floor((memoryBytesMax + CODE_RANGE_BYTES) / 1024);
  const mebibytes = Math.floor(memoryBytesMax / 2 ** 20);
  const node = [
    process.execPath,
    `--max-old-space-size=${Math.floor(mebibytes / 2)}`,
    ...HEAP_FLAGS,
    '--input-type=module',
    '-',
  ];
  const become = niceness > 0 ? `exec nice -n ${niceness} "$@"` : 'exec "$@"';
  // Next's types require a NODE_ENV.
  const env = Object.fromEntries(environment.map((name) => [name, process.env[name]])) as NodeJS.ProcessEnv;
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
  return watch(child);
}

function watch(child: ChildProcess): SpawnedChild {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS_MAX);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => resolve());
  });
  const started = once(child, 'message').then(
    () => true,
    () => false,
  );
  const ready = Promise.race([started, exited.then(() => false)]);
  return { process: child, ready, exited, stderr: () => stderr };
}
