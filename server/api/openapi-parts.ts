import { z } from 'zod';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { ERRORS, type ErrorCode } from '../../models/core/operation/error-table.ts';
import { type ErrorOverrides, getProblem } from '../../models/core/operation/errors.ts';
import { errorCodeSchema, errorFieldSchema } from '../../models/core/operation/job-view.ts';

/** Groups of the API's operations, in order. */
export const TAGS = {
  operations: { name: 'Operations', description: 'Processing of images, audio and video, as prepaid jobs.' },
  batches: { name: 'Batches', description: 'Up to 100 requests as one job.' },
  jobs: { name: 'Jobs', description: 'States, lists, events and webhooks of jobs, and quotes before them.' },
  uploads: { name: 'Uploads', description: 'Files that later requests use as their inputs.' },
  workers: {
    name: 'Self-hosted workers',
    description: 'Jobs that an account runs on its own machines with `darkroom worker`.',
  },
  account: { name: 'Account', description: 'Money and usage of the key’s account.' },
  service: { name: 'Service', description: 'What this installation offers, and whether it accepts jobs.' },
} as const;

export const problemSchema = z
  .object({
    error: z.string().meta({ description: 'Short title of the error.', example: 'Bad Request' }),
    message: z.string().meta({ description: 'Names the field and what is allowed.' }),
    code: errorCodeSchema,
    field: errorFieldSchema.optional(),
    request_id: z.string().meta({
      description: 'Id of the job where there is one, else of the HTTP request, as x-request-id has it.',
    }),
  })
  .meta({ id: 'Problem' });
/** Describes a response with a JSON body. */
export const describeResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/**
 * Describes the responses of some faults, one per status.
 * @param table the operation's own statuses
 */
export function describeProblems(faults: readonly ErrorCode[], table?: ErrorOverrides) {
  const words = new Map<number, string>();
  for (const fault of faults) {
    const { status } = getProblem(fault, table);
    const text = `${fault}: ${ERRORS[fault].description}`;
    words.set(status, [words.get(status), text].filter(Boolean).join(' '));
  }
  return Object.fromEntries(
    [...words].map(([status, text]) => [String(status), describeResponse(text, problemSchema)]),
  );
}

/** Errors of each route of an account whose body is JSON. */
export const JSON_FAULTS: readonly ErrorCode[] = [
  'bad_request',
  'body_too_large',
  'unsupported_encoding',
  'unauthorized',
  'forbidden',
  'too_many_requests',
];

/** Describes the headers that may carry the key: both, the one that counts where they differ first. */
export function describeSecurity(authentication: Operation['authentication'] | 'either') {
  const [subscription, bearer] = [{ subscriptionKey: [] }, { bearer: [] }];
  return authentication === 'bearer' ? [bearer, subscription] : [subscription, bearer];
}

/** Parameter of a path that names a job. */
export const JOB_ID = {
  path: z.object({
    request_id: z.string().meta({ description: '<model_id>_<unique suffix>, as the 202 has it.' }),
  }),
};

/** Bytes of a file, as the body of a request or a response. */
export const binary = z.string().meta({ format: 'binary' });

/** Describes a body that a request must have. */
export function describeBody(schema: z.ZodType, mediaType = 'application/json') {
  return { required: true, content: { [mediaType]: { schema } } };
}
