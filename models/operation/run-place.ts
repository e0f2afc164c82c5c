import { z } from 'zod';
import type { Operation } from './define-operation.ts';

/** Places where a job runs: the service's own machines, or those of the account that sent it. */
const RUN_PLACES = ['service', 'own'] as const;

export type RunPlace = (typeof RUN_PLACES)[number];

/** Field of every request for a job. */
export const PLACE_FIELD = {
  run_on: z.enum(RUN_PLACES).default('service').meta({
    description:
      'Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.',
  }),
} as const;

/** Member of a job that repeats it. */
export const PLACE_MEMBER = {
  run_on: z.enum(RUN_PLACES).meta({
    description:
      'Where the job runs. `own`: on a machine of its account, whose reports the service does not vouch for.',
  }),
};

/** Reports whether the JSON of a request, which is not checked yet, asks for a machine of the account itself. */
export function asksForOwnDevice(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'run_on' in body && body.run_on === 'own';
}

/** Returns an operation with the same params, checks and limits, which costs nothing. */
export function freeOfCharge(operation: Operation): Operation {
  return operation.priced(Object.fromEntries(Object.keys(operation.rates).map((unit) => [unit, 0n])));
}

/**
 * Returns an operation as a job sees it that runs in a place. On a machine of the account itself it costs nothing,
 * needs no engine of the service, and neither gives nor takes a cached result.
 */
export function placeOperation(operation: Operation, place: RunPlace): Operation {
  if (place === 'service') return operation;
  const { cacheHours: _, ...placed } = freeOfCharge(operation);
  return { ...placed, engineNeeds: () => [] };
}
