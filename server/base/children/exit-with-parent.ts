import { Worker } from 'node:worker_threads';

/**
 * Ends this process when its parent is gone. Runs in its own thread, since the main one may be deep in a decoder and
 * then notices neither the closed channel nor a signal.
 */
export function exitWithParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`;
  // Newer versions of V8 would reserve half a gigabyte for the code of each thread, which counts as its data.
  const resourceLimits = { maxOldGenerationSizeMb: 8, codeRangeSizeMb: 4 };
  new Worker(watch, { eval: true, execArgv: [], resourceLimits }).unref();
  process.on('disconnect', () => process.exit());
}
