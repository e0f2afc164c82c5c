import type { OperationId } from '../../../models/registry.ts';
import type { RunWork } from '../run-times/work-of.ts';
import { TOOLS } from './tools.ts';

/** Time of a run by one on a named machine. */
export interface MeasuredEstimate {
  readonly seconds: number;
  /** Whether the run takes at most as long. */
  readonly isBound: boolean;
}

/** Estimates a run by the most alike one on the machine of the measured examples; undefined where none was measured. */
export function estimateMeasured(
  operationId: OperationId,
  { amount, kinds }: RunWork,
): MeasuredEstimate | undefined {
  const { measured = [] } = TOOLS[operationId];
  const time = kinds.flatMap((kind) => measured.filter((each) => each.kind === kind))[0];
  if (!time) return undefined;
  const { fixedSeconds = 0, isBound = false } = time;
  return { seconds: fixedSeconds + ((time.seconds - fixedSeconds) * amount) / time.amount, isBound };
}
