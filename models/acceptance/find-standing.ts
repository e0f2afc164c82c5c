import type { OperationEngine } from '../core/device/fit.ts';
import { listOwnEngines } from '../core/device/own-engines.ts';
import type { Operation } from '../core/operation/define-operation.ts';
import type { AcceptanceUnit } from '../core/runtime/acceptance-test.ts';
import type { Standing } from '../core/runtime/acceptances.ts';
import type { Acceptance } from './measure-engine.ts';
import { RECORDED, type RecordedFigure } from './recorded-figures.ts';

/** Longest time of an engine that `auto` may take, in seconds. */
const SECONDS_MAX: Readonly<Record<AcceptanceUnit, number>> = { megapixel: 5, second: 1 };

/** Standing of an engine that has no test: it may run, and no figure ranks it. */
export const UNTESTED: Standing = {
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

/** Reports whether an engine has a test: it has weights, and what it does has a right answer. */
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
export function findStanding(
  operation: Operation,
  engine: OperationEngine,
  measured: Acceptance | null,
): Standing {
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
