import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '../../base/log.ts';
import { AWAITS_SETTINGS, isStartRefusal, type LateSettings, READY } from './lifecycle.ts';
import { HEALTH_RULE, type StartHealthRule, watchHealth } from './watch-health.ts';

const RESTART_DELAY_MS = { first: 200, longest: 10_000 };
/** A part that ran this long started well: its next restart is immediate again. */
const SETTLED_MS = 30_000;

export interface SupervisedPart {
  /** Resolves when the part first reports that it is ready. Rejects when it refuses to start, and is not restarted. */
  readonly ready: Promise<void>;
  /** Asks the part to stop and waits; kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Keeps one of our processes running: forks the module, and forks it again whenever it exits by itself, or hangs (while
 * it starts, or later) and is ended.
 * @param settings further variables for it, which it waits for where it needs them; a rejection leaves it waiting
 */
export function supervise(
  name: string,
  module: string,
  env: NodeJS.ProcessEnv,
  log: Logger,
  health: StartHealthRule = HEALTH_RULE,
  settings?: Promise<LateSettings>,
): SupervisedPart {
  let child: ChildProcess | undefined;
  let stopWatching = (): void => {};
  let stopping = false;
  let delayMs = RESTART_DELAY_MS.first;
  let timer: NodeJS.Timeout | undefined;
  let reportReady: () => void;
  let reportRefusal: (reason: Error) => void;
  const ready = new Promise<void>((resolve, reject) => {
    reportReady = resolve;
    reportRefusal = reject;
  });

  const startLater = (): void => {
    if (stopping) return;
    timer = setTimeout(start, delayMs);
    delayMs = Math.min(delayMs * 2, RESTART_DELAY_MS.longest);
  };
  const start = (): void => {
    const startedAtMs = performance.now();
    child = forkPart(module, settings ? { ...env, [AWAITS_SETTINGS]: '1' } : env, {
      onReady: () => reportReady(),
      onRefusal(reason) {
        stopping = true;
        reportRefusal(new Error(reason));
      },
      onError: (err) => log.error({ err, name, delayMs }, 'a part could not be started or reached'),
      onEnd(code, signal) {
        child = undefined;
        if (performance.now() - startedAtMs > SETTLED_MS) delayMs = RESTART_DELAY_MS.first;
        if (!stopping) log.warn({ name, code, signal, delayMs }, 'a part ended and is restarted');
        startLater();
      },
    });
    if (!child) return;
    sendLater(child, settings);
    stopWatching = watchHealth(child, health, () =>
      log.error({ name }, 'a part does not respond and is replaced'),
    );
  };
  start();

  return {
    ready,
    async stop(graceMs) {
      stopping = true;
      stopWatching();
      clearTimeout(timer);
      if (!child) return;
      const running = child;
      const exited = once(running, 'exit');
      running.kill('SIGTERM');
      const force = setTimeout(() => running.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(force);
    },
  };
}

/** Part, and the time that it has to stop. */
export interface StoppingPart {
  readonly part: SupervisedPart;
  readonly graceMs: number;
}

/**
 * Stops parts one after the other. The web process goes before the runner, which still runs the direct jobs whose
 * requests the web process waits for.
 */
export async function stopInOrder(parts: readonly StoppingPart[]): Promise<void> {
  for (const { part, graceMs } of parts) await part.stop(graceMs);
}

/** Sends settings to a part once they are known, unless it has ended by then. */
function sendLater(part: ChildProcess, settings: Promise<LateSettings> | undefined): void {
  settings?.then(
    (known) => part.connected && part.send({ settings: known }, () => {}),
    () => {},
  );
}

interface PartEvents {
  onReady(): void;
  /** Called when the part says that no restart would let it start. */
  onRefusal(reason: string): void;
  onError(error: unknown): void;
  /** Called once, asynchronously: when the process has ended, or when there was none to begin with. */
  onEnd(code: number | null, signal: NodeJS.Signals | null): void;
}

/**
 * Forks a part.
 * @returns undefined when no process could be created: out of processes, memory or file descriptors
 */
function forkPart(module: string, env: NodeJS.ProcessEnv, events: PartEvents): ChildProcess | undefined {
  const failed = (error: unknown): undefined => {
    events.onError(error);
    setImmediate(() => events.onEnd(null, null));
  };
  try {
    const child = fork(module, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    if (child.pid === undefined) {
      // Such a process says so by `error` alone, and never exits.
      child.once('error', failed);
      return undefined;
    }
    child.on('message', (message) => {
      if (message === READY) events.onReady();
      else if (isStartRefusal(message)) events.onRefusal(message.refusal);
    });
    child.on('error', events.onError);
    child.once('exit', events.onEnd);
    return child;
  } catch (error) {
    return failed(error);
  }
}
