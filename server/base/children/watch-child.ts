import { Worker } from 'node:worker_threads';

export interface WatchedChild {
  /** Notes progress. A return to the event loop counts as progress, too. */
  noteProgress(): void;
}

/** Processor time without progress after which the main thread counts as stuck. */
export const STUCK_SECONDS = 30;

/** Line on the standard error of a process that ends because it was stuck. */
const STUCK_MARK = `no progress for ${STUCK_SECONDS} seconds of processor time`;

const TURN_MS = 500;

/** Linux counts processor time in hundredths of a second on all machines. */
const TICKS_PER_SECOND = 100;

/**
 * Code of the thread that watches. Only the time of the main thread counts: many threads may compute for it at once.
 */
const WATCH = `
  const { readFileSync, writeSync } = require('node:fs');
  const { workerData: { turns, secondsMax, mark } } = require('node:worker_threads');
  const parent = process.ppid;
  const readSeconds = () => {
    try {
      const stat = readFileSync('/proc/self/task/' + process.pid + '/stat', 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / ${TICKS_PER_SECOND};
    } catch {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    }
  };
  let turn = -1;
  let usedSeconds = 0;
  const checkProgress = () => {
    const now = Atomics.load(turns, 0);
    const seconds = readSeconds();
    if (now !== turn) [turn, usedSeconds] = [now, seconds];
    else if (seconds - usedSeconds > secondsMax) {
      writeSync(2, mark + '\\n');
      process.kill(process.pid, 'SIGKILL');
    }
  };
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (secondsMax > 0) checkProgress();
  }, ${TURN_MS});`;

/**
 * Ends this process when its parent is gone. Runs in its own thread, since the main one may be deep in a decoder and
 * then notices neither the closed channel nor a signal.
 * @param secondsMax processor time of the main thread after which it ends, too, unless there was progress; 0 for none
 */
export function watchChild(secondsMax: number): WatchedChild {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const noteProgress = (): void => void Atomics.add(turns, 0, 1);
  // Newer versions of V8 would reserve half a gigabyte for the code of each thread, which counts as its data.
  const resourceLimits = { maxOldGenerationSizeMb: 8, codeRangeSizeMb: 4 };
  const workerData = { turns, secondsMax, mark: STUCK_MARK };
  new Worker(WATCH, { eval: true, execArgv: [], resourceLimits, workerData }).unref();
  if (secondsMax > 0) setInterval(noteProgress, TURN_MS).unref();
  process.on('disconnect', () => process.exit());
  return { noteProgress };
}

/** Reports whether the end of a child's standard error says that it was stuck. */
export function wasStuck(stderr: string): boolean {
  return stderr.trimEnd().endsWith(STUCK_MARK);
}
