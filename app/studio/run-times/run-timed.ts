import type { RunResult } from '../../../models/core/operation/run-result.ts';
import type { OperationId } from '../../../models/registry.ts';
import { type RunOptions, runOperation } from '../../../workers/operation/run-operation.ts';
import { estimateRun, expectStep, recordRun } from './kind-times.ts';
import { markWarm, readRunWork } from './run-work.ts';
import { StepTimer } from './step-timer.ts';
import type { RunWork } from './work-of.ts';

/** Time between two estimates of a step that reports nothing. */
const TICK_MS = 500;

interface TimedRunOptions extends RunOptions {
  /** Returns the seconds of such a run on a named machine, for the time before this device has its own runs. */
  readonly measuredSeconds?: (work: RunWork) => number | undefined;
}

/**
 * Runs an operation on this device, and records how long it and its steps took. A step that reports nothing, such as an
 * encoder, moves by the times of this device's earlier runs; before there is one, by a run on a named machine.
 * @throws OperationError as `runOperation` does
 */
export async function runTimed(
  operationId: OperationId,
  file: Blob,
  params: object,
  { onProgress = () => {}, measuredSeconds = () => undefined, ...options }: TimedRunOptions = {},
): Promise<RunResult> {
  const timer = new StepTimer();
  // Nothing is reported while a worker starts and loads what it takes.
  timer.take({ fraction: 0 }, performance.now());
  const startedAtMs = performance.now();
  let work: RunWork | undefined;
  const reading = readRunWork(operationId, file, params).then((read) => {
    work = read;
  });
  const ticking = setInterval(() => {
    const { step } = timer;
    const expected = work && step !== undefined ? expectStep(operationId, work, step) : undefined;
    const wholeSeconds = work && (estimateRun(operationId, work) ?? measuredSeconds(work));
    const progress = timer.estimate(expected, performance.now(), wholeSeconds);
    if (progress) onProgress(progress);
  }, TICK_MS);
  try {
    const result = await runOperation(operationId, file, params, {
      ...options,
      onProgress: (progress) => onProgress(timer.take(progress, performance.now())),
    });
    const endedAtMs = performance.now();
    const steps = timer.finish(endedAtMs);
    void reading.then(() => {
      if (work) recordRun(operationId, work, (endedAtMs - startedAtMs) / 1000, steps);
      markWarm(operationId);
    });
    return result;
  } finally {
    clearInterval(ticking);
  }
}
