import type { ChildProcess } from 'node:child_process';
import { HEALTH_PING, HEALTH_PONG, READY } from './lifecycle.ts';

/** When a process counts as dead. */
export interface HealthRule {
  readonly everyMs: number;
  /** Unanswered questions in a row. */
  readonly missesMax: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export interface StartHealthRule extends HealthRule {
  /** Limit in place of `missesMax` until the part is ready: it is not asked so early, but may report by itself. */
  readonly startMissesMax: number;
}

/**
 * Half a minute without one turn of its event loop: honest load delays a response by seconds at most. Five minutes to
 * start: slow machines need one of them.
 */
export const HEALTH_RULE: StartHealthRule = {
  everyMs: 5_000,
  missesMax: 6,
  startMissesMax: 60,
  graceMs: 10_000,
};

/**
 * Asks a part regularly whether it works, and ends it when several questions in a row stay unanswered, or when it is
 * not ready in time. Questions count, and not time: a suspended machine ends nothing.
 * @param onDead called when the part is about to be ended
 * @returns a function that stops asking
 */
export function watchHealth(
  child: ChildProcess,
  { everyMs, missesMax, startMissesMax, graceMs }: StartHealthRule,
  onDead: () => void,
): () => void {
  let misses = 0;
  let isReady = false;
  let force: NodeJS.Timeout | undefined;
  const hear = (message: unknown): void => {
    if (message === READY) isReady = true;
    if (message === READY || message === HEALTH_PONG) misses = 0;
  };
  const ask = setInterval(() => {
    if (misses >= (isReady ? missesMax : startMissesMax)) return end();
    misses += 1;
    // A closed channel means that the part is ending: its exit follows.
    if (isReady && child.connected) child.send(HEALTH_PING, () => {});
  }, everyMs);
  const stop = (): void => {
    clearInterval(ask);
    child.off('message', hear);
  };
  const end = (): void => {
    stop();
    onDead();
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  child.on('message', hear);
  child.once('exit', () => {
    stop();
    clearTimeout(force);
  });
  return stop;
}
