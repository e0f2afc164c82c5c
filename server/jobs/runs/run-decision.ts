import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { type ErrorCode, INPUT_ERRORS } from '../../../models/core/operation/errors.ts';
import type { RunLimits } from '../../../models/core/operation/run-result.ts';
import { listOwnEngines } from '../../../models/core/runtime/fit.ts';
import { STUCK_SECONDS } from '../../base/children/watch-child.ts';
import type { Context } from '../../base/context.ts';
import { OutageError } from '../../base/outage.ts';
import { findEngineAvailability } from '../../runtime/inference/engine-availability.ts';
import type { RunEnd } from './child-process.ts';
import type { Done } from './protocol.ts';

/** Verdict on a run: its meaning for the job. */
export type RunDecision =
  | { readonly next: 'complete'; readonly result: Done }
  /** The input's fault: a retry gives the same. */
  | {
      readonly next: 'fail';
      readonly message: string;
      readonly code: ErrorCode;
      readonly field?: string | undefined;
    }
  /** Possibly the input's fault: a second run in a fresh process decides. */
  | { readonly next: 'run-again'; readonly message: string; readonly code: ErrorCode }
  /** Used up its time, or names an engine that cannot be had: the next attempt would, too. */
  | {
      readonly next: 'give-up';
      readonly reason: string;
      readonly code: ErrorCode;
      readonly field?: string | undefined;
    }
  /** Our fault: another attempt may succeed. */
  | { readonly next: 'retry'; readonly reason: string; readonly code: ErrorCode }
  /** Ended by an outage: the run waits for its end, and the attempt does not count. */
  | { readonly next: 'wait'; readonly outage: OutageError }
  /** Aborted because the runner stops. */
  | { readonly next: 'requeue' };

/** Signals that a process sends itself on bad data; SIGKILL and the like come from outside. */
const INPUT_CRASH_SIGNALS: readonly string[] = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
];

export function decideRun(end: RunEnd, limits: RunLimits): RunDecision {
  switch (end.kind) {
    case 'done':
      return { next: 'complete', result: end };
    case 'failed':
      if (end.outage) return { next: 'wait', outage: new OutageError(end.outage) };
      // The request names an engine that cannot be had: another attempt soon would meet the same.
      if (end.code === 'engine_unavailable' || (end.code === 'unavailable' && end.field !== undefined)) {
        return { next: 'give-up', reason: end.message, code: end.code, field: end.field };
      }
      return INPUT_ERRORS.includes(end.code)
        ? { next: 'fail', message: end.message, code: end.code, field: end.field }
        : { next: 'retry', reason: end.message, code: end.code };
    case 'over-memory': {
      const megabytes = Math.round(limits.memoryBytesMax / 1e6);
      const message = `The file needs more than the ${megabytes} MB of memory that a run may use. Use a smaller one.`;
      return { next: 'fail', message, code: 'over_memory' };
    }
    case 'over-processor': {
      const message = `The file needs more than the ${limits.processorSecondsMax} seconds of processor time that a run may use. Use a smaller image or another format.`;
      return { next: 'fail', message, code: 'over_time' };
    }
    case 'over-time':
      return {
        next: 'give-up',
        reason: `the run took longer than ${limits.runSecondsMax} seconds`,
        code: 'over_time',
      };
    case 'stuck':
      return {
        next: 'give-up',
        reason: `the run made no progress for ${STUCK_SECONDS} seconds of processor time`,
        code: 'over_time',
      };
    case 'crashed':
      return end.signal !== null && INPUT_CRASH_SIGNALS.includes(end.signal)
        ? {
            next: 'run-again',
            message: 'The file crashes its decoder. It is damaged; export it again.',
            code: 'crashed',
          }
        : { next: 'retry', reason: 'the process of the run ended unexpectedly', code: 'crashed' };
    case 'no-process':
      return { next: 'wait', outage: new OutageError('memory') };
    case 'stopped':
      return { next: 'requeue' };
  }
}

/**
 * Reports whether a run has no engine without a model server: every engine that its params allow is missing on this
 * machine, and one of them is served elsewhere.
 */
export async function needsModelServer(
  ctx: Pick<Context, 'env'>,
  operation: Operation,
  params: object,
): Promise<boolean> {
  if (ctx.env.INFERENCE_ENDPOINTS.size === 0) return false;
  const needs = operation.engineNeeds(params);
  const chosenByAuto = listOwnEngines(operation).flatMap(({ id, isOptIn }) => (isOptIn ? [] : [id]));
  const choices = needs.length === 0 ? [chosenByAuto] : needs.map(({ engines }) => engines);
  const found = await Promise.all(choices.map((ids) => isServedOnly(ctx, operation, ids)));
  return found.includes(true);
}

/** Reports whether model servers have an engine of these, and this machine has none. */
async function isServedOnly(
  ctx: Pick<Context, 'env'>,
  operation: Operation,
  ids: readonly string[],
): Promise<boolean> {
  const engines = listOwnEngines(operation).filter(({ id }) => ids.includes(id));
  const hasOne = async (endpoints = ctx.env.INFERENCE_ENDPOINTS): Promise<boolean> => {
    const found = await Promise.all(engines.map((engine) => findEngineAvailability(ctx, engine, endpoints)));
    return found.some(({ isAvailable }) => isAvailable);
  };
  return !(await hasOne(new Map())) && (await hasOne());
}
