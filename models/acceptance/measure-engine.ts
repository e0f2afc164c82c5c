import type { Operation } from '../core/operation/define-operation.ts';
import { getMessage, OperationError } from '../core/operation/errors.ts';
import { type AcceptanceTask, type AcceptanceUnit, getFloor } from '../core/runtime/acceptance-test.ts';
import { listFiles, listOwnEngines } from '../core/runtime/fit.ts';
import type { Runtime } from '../core/runtime/runtime.ts';

/** Quality and time of an engine on the samples of its operation. */
export interface Acceptance {
  /** Kind of the figure: `IoU`. */
  readonly measure: string;
  readonly figure: number;
  /** Figure that the engine must reach. */
  readonly floor: number;
  readonly lowerIsBetter?: boolean | undefined;
  readonly passed: boolean;
  /** Time of a run for each megapixel or second, in seconds. */
  readonly seconds: number;
  readonly per: AcceptanceUnit;
  /** Reason why it failed, beyond its figure: a sentence. */
  readonly fault?: string | undefined;
}

/** Runtime and sample that measure an engine. */
export interface MeasureOptions {
  readonly runtime: Runtime;
  readonly sample: AcceptanceTask['sample'];
  /**
   * Returns the processor time of this process so far, in seconds: a run that waits for others seems no slower. Absent
   * where the platform does not tell.
   */
  readonly processorSeconds?: () => number;
}

/** Figure of an engine that could not run to the end. */
const WORST = { higher: 0, lower: 1 };

/**
 * Measures an engine by the acceptance test of its operation. An engine whose graph is not what its card promises has
 * failed as well.
 * @throws OperationError when the device could not run it: for lack of memory, of a server or of its weights;
 * RangeError
 *   when the operation has no test
 */
export async function measureEngine(
  operation: Operation,
  engine: string,
  { runtime, sample, processorSeconds = () => Number.POSITIVE_INFINITY }: MeasureOptions,
): Promise<Acceptance> {
  const { acceptance } = operation;
  if (!acceptance) throw new RangeError(`${operation.id} has no acceptance test`);
  await assertAtHand(operation, engine, runtime);
  const { measure, per, lowerIsBetter = false } = acceptance;
  const floor = getFloor(acceptance, engine);
  let seconds = Number.POSITIVE_INFINITY;
  const task: AcceptanceTask = {
    engine,
    runtime,
    sample,
    async run(input, params) {
      const { files } = await operation.execute(input, params, runtime);
      return new Map(files.map(({ name, blob }) => [name, blob]));
    },
    async time(amount, work) {
      const [startMs, startSeconds] = [performance.now(), processorSeconds()];
      const result = await work();
      const computed = processorSeconds() - startSeconds;
      const passed = (performance.now() - startMs) / 1000;
      seconds = Math.min(seconds, (computed < passed ? computed : passed) / amount);
      return result;
    },
  };
  const { measureFigure } = await acceptance.load();
  const found = await measureFigure(task).then(
    (figure) => (Number.isFinite(figure) ? { figure } : { fault: 'The figure is not a number.' }),
    (thrown: unknown) => {
      if (isVerdict(thrown)) return { fault: getMessage(thrown) };
      throw thrown;
    },
  );
  const figure = 'figure' in found ? found.figure : WORST[lowerIsBetter ? 'lower' : 'higher'];
  return {
    measure,
    figure: rounded(figure),
    floor,
    ...(lowerIsBetter && { lowerIsBetter }),
    passed: 'figure' in found && (lowerIsBetter ? figure <= floor : figure >= floor),
    seconds: Number.isFinite(seconds) ? rounded(seconds) : 0,
    per,
    ...('fault' in found && { fault: found.fault }),
  };
}

/** @throws OperationError `unavailable` when a file of the engine cannot be had: that tells nothing of what it does */
async function assertAtHand(operation: Operation, engine: string, { inference }: Runtime): Promise<void> {
  const own = listOwnEngines(operation).find(({ id }) => id === engine);
  for (const card of own ? listFiles(own) : []) {
    if ((await inference.availability(card)) !== 'unavailable') continue;
    throw new OperationError('unavailable', `${engine} cannot be measured: ${card.id} is not available.`, {
      kind: 'model_unreachable',
    });
  }
}

/** Reports whether an error tells that the engine does not do its work, not that the device could not run it. */
function isVerdict(thrown: unknown): thrown is OperationError {
  return thrown instanceof OperationError && thrown.kind === 'model_unusable';
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
