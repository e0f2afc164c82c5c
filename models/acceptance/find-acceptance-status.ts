import { rankEngines } from '../core/inference/engine-ladder.ts';
import type { Operation } from '../core/operation/define-operation.ts';
import type { AcceptanceUnit } from '../core/runtime/acceptance-test.ts';
import type { AcceptanceStatus, Acceptances } from '../core/runtime/acceptances.ts';
import { listFiles, listOwnEngines, type OperationEngine } from '../core/runtime/fit.ts';
import type { Inference } from '../core/runtime/inference.ts';
import type { Acceptance } from './measure-engine.ts';

/**
 * Changes whenever samples, measures or what an engine does around its graph change: then each device measures again.
 */
export const ACCEPTANCE_VERSION = 3;

/** Figure and time of a bundled engine, measured where it was released: on two cores, without a graphics processor. */
interface RecordedFigure {
  /** SHA-256 of the engine's own file: figures of another one do not count. */
  readonly sha256: string;
  readonly figure: number;
  /** Seconds for each megapixel or second. */
  readonly seconds: number;
}

/** Figures of bundled engines, by id. They count until an installation has measured for itself. */
export const RECORDED = {
  matte: {
    sha256: '74cd70484ae03e334c0ef69ff10987dfa84d07033b311f4cbdd163fff0abe8a0',
    figure: 0.919,
    seconds: 2,
  },
  'silero-speakers': {
    sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
    figure: 0.0357,
    seconds: 0.1,
  },
  stems: {
    sha256: '067e37636d1e4a7ddc8ee92d9fa2d4ae9b3d28f0ca51c5d28320b96c68bad778',
    figure: 1.75,
    seconds: 0.2,
  },
  'nsfw-mobilenet': {
    sha256: '5d3ba87709d3192d683fb169a9bed17bda7b14438f94d5b25b350894b3197b98',
    figure: 0.9527,
    seconds: 0.15,
  },
  darkroom: {
    sha256: '6341d7bd2d072172eee07806a3df92d6c023ca71865a8f72025ec5842eed732b',
    figure: 28.16,
    seconds: 1.7,
  },
  'darkroom-restore': {
    sha256: '8d8b4df063437328b85ba4492339d4c5215ced85092b90eadcf93a9c1df6c832',
    figure: 27.04,
    seconds: 3.5,
  },
  'darkroom-fast': {
    sha256: '23d96c727aeb3c4d4462c2eb88b0c5aa385dd37c8c1e889b0dfc53469acc0417',
    figure: 27.91,
    seconds: 0.8,
  },
} as const satisfies Readonly<Record<string, RecordedFigure>>;

/** Longest time of an engine that `auto` may take, in seconds. */
const SECONDS_MAX: Readonly<Record<AcceptanceUnit, number>> = { megapixel: 5, second: 1 };

/** Acceptance status of an engine that has no test: it may run, and no figure ranks it. */
export const UNTESTED: AcceptanceStatus = {
  state: 'passed',
  quality: Number.NEGATIVE_INFINITY,
  seconds: 0,
  isSlow: true,
};

/** Finds an engine of an operation by their names; undefined where one of them does not exist. */
export function findEngine(
  operations: Readonly<Record<string, Operation>>,
  operationId: string,
  engineId: string,
): { readonly operation: Operation; readonly engine: OperationEngine } | undefined {
  const operation = operations[operationId];
  const engine = operation && listOwnEngines(operation).find(({ id }) => id === engineId);
  return operation && engine && { operation, engine };
}

/** Returns the recorded figure of a bundled engine; undefined for others. */
export function findRecorded({ id, card }: OperationEngine): RecordedFigure | undefined {
  const recorded = Object.entries<RecordedFigure>(RECORDED).find(([name]) => name === id)?.[1];
  return recorded && recorded.sha256 === card?.sha256 ? recorded : undefined;
}

/** Reports whether an engine has a test: it has weights, and what it does has a right result. */
export function isTested(
  { acceptance }: Pick<Operation, 'acceptance'>,
  { id, card }: OperationEngine,
): boolean {
  return acceptance !== undefined && card !== null && !acceptance.exempt?.includes(id);
}

/**
 * Tells what is known of an engine: what was measured here, else what was recorded where it was released.
 * @param measured null before it was measured here
 */
export function findAcceptanceStatus(
  operation: Operation,
  engine: OperationEngine,
  measured: Acceptance | null,
): AcceptanceStatus {
  const { acceptance } = operation;
  if (!acceptance || !isTested(operation, engine)) return UNTESTED;
  if (measured && !measured.passed) return { state: 'failed', reason: describeFailure(measured) };
  const known = measured ?? findRecorded(engine);
  if (!known) return { state: 'unknown' };
  const { figure, seconds } = known;
  const quality = acceptance.lowerIsBetter ? -figure : figure;
  return { state: 'passed', quality, seconds, isSlow: seconds > SECONDS_MAX[acceptance.per] };
}

/** Says in a sentence why an engine failed. */
export function describeFailure({ measure, figure, floor, lowerIsBetter, fault }: Acceptance): string {
  const wanted = `${lowerIsBetter ? 'at most' : 'at least'} ${floor}`;
  return fault
    ? `It failed its acceptance test: ${fault}`
    : `It failed its acceptance test: ${measure} ${figure}, and ${wanted} is needed.`;
}

/**
 * Finds the engine that `auto` will take on this device, as far as that is known before the input: the first one by
 * rank among those whose files are all here.
 * @returns undefined where there is none
 */
export async function findFirstEngine(
  operation: Pick<Operation, 'id' | 'params' | 'engines' | 'engineList'>,
  inference: Pick<Inference, 'availability'>,
  acceptances: Pick<Acceptances, 'find'>,
): Promise<OperationEngine | undefined> {
  const known = await Promise.all(
    listOwnEngines(operation).map(async (engine) => {
      const found = await Promise.all(listFiles(engine).map((card) => inference.availability(card)));
      const mayRun = !engine.isOptIn && found.every((each) => each === 'ready');
      const standing = engine.card && mayRun ? await acceptances.find(operation.id, engine.id) : null;
      return { engine, standing, mayRun };
    }),
  );
  // Where no param names an engine, the input decides their order.
  const keepsOrder = !('engine' in operation.params.shape);
  const ready = known.filter(({ mayRun }) => mayRun);
  return rankEngines(ready, keepsOrder)[0];
}
