import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from './log.ts';

const RESTART_DELAY_MS = { first: 200, longest: 10_000 };
/** A part that ran this long had no trouble starting: its next restart is quick again. */
const SETTLED_MS = 30_000;

export interface SupervisedPart {
  /** Settles when the part first reports that it is ready. */
  readonly ready: Promise<void>;
  /** Asks the part to stop and waits until it has; ends it by force after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Keeps one process of ours running: forks the module, and forks it again whenever it ends by itself. */
export function supervise(name: string, module: string, env: NodeJS.ProcessEnv, log: Logger): SupervisedPart {
  let child: ChildProcess;
  let stopping = false;
  let delayMs = RESTART_DELAY_MS.first;
  let timer: NodeJS.Timeout | undefined;
  let reportReady: () => void;
  const ready = new Promise<void>((resolve) => {
    reportReady = resolve;
  });

  const start = (): void => {
    const startedAtMs = Date.now();
    child = fork(module, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message) => message === 'ready' && reportReady());
    child.on('error', (err) => log.error({ err, name }, 'a part could not be started'));
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (Date.now() - startedAtMs > SETTLED_MS) delayMs = RESTART_DELAY_MS.first;
      log.warn({ name, code, signal, delayMs }, 'a part ended and is started again');
      timer = setTimeout(start, delayMs);
      delayMs = Math.min(delayMs * 2, RESTART_DELAY_MS.longest);
    });
  };
  start();

  return {
    ready,
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(force);
    },
  };
}
