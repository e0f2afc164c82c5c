import { z } from 'zod';

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
