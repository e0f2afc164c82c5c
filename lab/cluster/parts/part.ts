import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Longer than a runner needs to hand its runs back. */
const STOP_MS = 40_000;

export interface PartOptions {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** File that receives its output, after what stands there already. */
  readonly log: string;
  /** Called with each line of its output. */
  readonly onLine?: (line: string) => void;
  /** Opens a channel for messages. */
  readonly hasMessages?: boolean;
}

/** Process of the cluster. */
export interface Part {
  readonly child: ChildProcess;
  isRunning(): boolean;
  /** Sends kill -9, and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGTERM, and kill -9 to whatever has not ended in time. */
  stop(): Promise<void>;
}

const running = new Set<Part>();
let isEnding = false;

/** Sends kill -9 to every process that was started, and lets none start any more. */
export async function endAllParts(): Promise<void> {
  isEnding = true;
  await Promise.all([...running].map((part) => part.kill()));
}

/** Starts a process in its own session, so that Ctrl-C reaches the bench alone, which ends the parts in order. */
export function startPart({ command, env, log, onLine, hasMessages = false }: PartOptions): Part {
  if (isEnding) throw new Error('the cluster is ending');
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: hasMessages ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  const output = createWriteStream(log, { flags: 'a' });
  child.on('error', (err) => output.write(`${err.message}\n`));
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      output.write(`${line}\n`);
      onLine?.(line);
    });
  }
  const exited = once(child, 'close').catch(() => {});
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const part: Part = {
    child,
    isRunning,
    async kill() {
      if (isRunning()) child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      if (isRunning()) child.kill('SIGTERM');
      const timeUp = new AbortController();
      const late = wait(STOP_MS, undefined, { signal: timeUp.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      );
      await exited;
      timeUp.abort();
      await late;
    },
  };
  running.add(part);
  void exited.then(() => {
    running.delete(part);
    output.end();
  });
  return part;
}

/** Waits until a condition holds. @throws after `timeoutMs`, naming what was waited for */
export async function waitUntil(
  what: string,
  isTrue: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; performance.now() < endMs; await wait(200)) {
    if (await isTrue()) return;
  }
  throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
}
