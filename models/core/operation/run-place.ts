import { z } from 'zod';
import { parseParams } from './params.ts';

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

const placeSchema = z.object(PLACE_FIELD);

/** Member of a job that repeats it. */
export const PLACE_MEMBER = {
  run_on: z.enum(RUN_PLACES).meta({
    description:
      'Where the job runs. `own`: on a machine of its account, whose reports the service does not vouch for.',
  }),
};

/**
 * Reads where a request wants to run, before anything else of its JSON is checked.
 * @throws OperationError `bad_request` naming `run_on`
 */
export function readPlace(body: object): RunPlace {
  const asked = 'run_on' in body ? { run_on: body.run_on } : {};
  return parseParams(placeSchema, asked).run_on;
}
