import { mkdir, rm } from 'node:fs/promises';
import { type ErrorCode, INPUT_ERRORS, OperationError } from '../../models/core/operation/errors.ts';
import type { Done, RunDecision } from '../jobs/runs/index.ts';
import { type LocalRunner, type OwnDeviceRun, openLocalRunner } from './local-runner.ts';

/** Run of a job of the account. */
interface DeviceRun extends Omit<OwnDeviceRun, 'onProgress'> {
  /** @param fraction of the run, 0 to 1 */
  readonly onProgress: (fraction: number) => void;
}

/** Opens this machine for the jobs that an account leaves to its own. @param runsMax runs at the same time */
export async function openOwnDevice(runsMax: number) {
  const runner = await openLocalRunner(runsMax);
  return {
    run: (run: DeviceRun) => runJob(runner, run),
    close: runner.close,
  };
}

/** Runs a job as a runner of the service does: a crash by its file has a second try. Never rejects. */
async function runJob(runner: LocalRunner, run: DeviceRun) {
  const task = { ...run, onProgress: ({ fraction }: { fraction: number }) => run.onProgress(fraction) };
  try {
    const decision = await runner.decide(task);
    if (decision.next !== 'run-again') return describeEnd(decision);
    await rm(run.outputDirectory, { recursive: true });
    await mkdir(run.outputDirectory);
    return describeEnd(await runner.decide(task));
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) return { fault: String(thrown) };
    return describeFailure(INPUT_ERRORS.includes(thrown.code) ? 'failed' : 'retry', thrown, thrown.message);
  }
}

function describeEnd(decision: RunDecision) {
  switch (decision.next) {
    case 'complete':
      return describeResult(decision.result);
    case 'fail':
    case 'run-again':
      return describeFailure('failed', decision, decision.message);
    case 'give-up':
    case 'retry':
      return describeFailure(
        decision.next === 'retry' ? 'retry' : 'error',
        decision,
        `${decision.reason.replace(/\.$/, '')}.`,
      );
    case 'wait':
      return { fault: decision.outage.message };
    case 'requeue':
      return { fault: 'its run was ended' };
  }
}

interface Fault {
  readonly code: ErrorCode;
  readonly field?: string | undefined;
}

function describeFailure(outcome: 'failed' | 'error' | 'retry', { code, field }: Fault, message: string) {
  return { report: { outcome, code, message, ...(field && { field }) }, files: [] };
}

function describeResult({ files, engine, warnings, weights, details, durationMs }: Done) {
  const sound = warnings.map(({ kind, names, message }) => ({ kind, names: [...names], message }));
  return {
    report: {
      outcome: 'completed' as const,
      engine,
      warnings: sound,
      weights: weights.map(({ id, sha256 }) => ({ id, sha256 })),
      details: { ...details },
      processing_ms: durationMs,
    },
    files: files.map(({ name, mediaType, sha256Hex }) => ({ name, mediaType, sha256: sha256Hex })),
  };
}
