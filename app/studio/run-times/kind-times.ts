import type { OperationId } from '../../../models/registry.ts';
import { addRun, estimateSeconds, NO_RUNS, type RunTimes } from './run-times.ts';
import type { EndedStep, ExpectedStep } from './step-timer.ts';
import { readRunTimes, readStored, recordKindTime, writeStored } from './stored-run-times.ts';
import type { RunWork } from './work-of.ts';

/** Usual slopes of operations whose network sees every image in the same size: there the size tells little. */
const USUAL_SLOPES: Readonly<Partial<Record<OperationId, number>>> = {
  'image-moderation': 0.4,
  'image-outpaint': 0.4,
  'remove-bg': 0.4,
};

/** Stored times of one step. */
interface StepTimes extends Pick<ExpectedStep, 'to' | 'isSilent'> {
  readonly times: RunTimes;
}

type StoredSteps = Readonly<Record<string, StepTimes | undefined>>;

/** Records a run, and its steps, under each kind that it is of. */
export function recordRun(
  operationId: OperationId,
  { amount, kinds }: RunWork,
  seconds: number,
  steps: readonly EndedStep[],
): void {
  for (const kind of kinds) {
    recordKindTime(operationId, kind, amount, seconds);
    const stored: Record<string, StepTimes | undefined> = {
      ...readStored<StoredSteps>(stepsName(operationId, kind)),
    };
    for (const { name, seconds: spent, to, isSilent } of steps) {
      stored[name] = { to, isSilent, times: addRun(stored[name]?.times ?? NO_RUNS, amount, spent) };
    }
    writeStored(stepsName(operationId, kind), stored);
  }
}

/** Estimates the seconds of a run from this device's own runs; undefined before there is one. */
export function estimateRun(operationId: OperationId, { amount, kinds }: RunWork): number | undefined {
  const times = mostAlike(kinds.map((kind) => readRunTimes(operationId, kind)));
  return times && estimateSeconds(times, amount, getOptions(operationId));
}

/** Returns what this device's own runs tell of a step; undefined before there is one that had it. */
export function expectStep(
  operationId: OperationId,
  { amount, kinds }: RunWork,
  step: string,
): ExpectedStep | undefined {
  const stored = kinds.flatMap((kind) => readStored<StoredSteps>(stepsName(operationId, kind))[step] ?? []);
  const times = mostAlike(stored.map((each) => each.times));
  const known = stored.find((each) => each.times === times);
  const seconds = times && estimateSeconds(times, amount, getOptions(operationId));
  return known && seconds !== undefined ? { seconds, to: known.to, isSilent: known.isSilent } : undefined;
}

function getOptions(operationId: OperationId): Parameters<typeof estimateSeconds>[2] {
  const usualSlope = USUAL_SLOPES[operationId];
  return { runsMin: 1, ...(usualSlope !== undefined && { usualSlope }) };
}

/** @param times from the most alike kind on */
function mostAlike(times: readonly RunTimes[]): RunTimes | undefined {
  return times.find(({ runs }) => runs > 0);
}

function stepsName(operationId: OperationId, kind: string): string {
  return `darkroom-step-times-${operationId}/${kind}`;
}
