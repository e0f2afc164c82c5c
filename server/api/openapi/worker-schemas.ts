import { z } from 'zod';
import { ERROR_CODES } from '../../../models/core/operation/error-table.ts';
import { JOB_STATUSES } from '../../../models/core/operation/job.ts';

/** Longest wait of a request for a job. */
const WAIT_SECONDS_MAX = 25;
const POSITION_MAX = 1000;
const PLAIN_NAME = /^[\w-][\w.-]*\.[a-z\d]+$/;

const position = z.coerce.number().int().min(0).max(POSITION_MAX);
const POSITION_HINT = 'Position of the run in the claim: that of a batch item, or 0.';

/** Body with which a worker asks for a job. */
export const claimRequestSchema = z.strictObject({
  operations: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Operations that this machine runs, and their batches. Every one without.' }),
  worker: z
    .string()
    .min(1)
    .max(100)
    .default('worker')
    .meta({ description: 'Name of this machine, which the dashboard shows.', example: 'studio-2' }),
  wait_seconds: z
    .number()
    .min(0)
    .max(WAIT_SECONDS_MAX)
    .default(WAIT_SECONDS_MAX)
    .meta({ description: 'How long to wait for a job where none is due.' }),
});

const claimedFileSchema = z.object({
  path: z.string().meta({ description: 'Path below /api that sends the bytes.' }),
  media_type: z.string(),
  bytes: z.int(),
  sha256: z.string().meta({ description: 'In hex.' }),
});

/** Job that a worker has taken. */
export const claimSchema = z
  .object({
    claim_id: z.string().meta({ description: 'Names the claim in all further requests.' }),
    request_id: z.string(),
    model_id: z.string().meta({ description: 'The operation, or its batches.' }),
    operation: z.string().meta({ description: 'Operation of each run.' }),
    attempt: z.int().min(1).meta({
      description: 'Attempts at the job so far, this one included, but for those that were given back.',
    }),
    lease_seconds: z
      .number()
      .meta({ description: 'Time without a report after which other workers may take the job.' }),
    runs: z
      .array(
        z.object({
          position: z.int().meta({ description: 'Position of the batch item, or 0.' }),
          params: z.looseObject({}).meta({ description: 'Checked params, defaults included.' }),
          input: claimedFileSchema,
          attachments: z
            .record(z.string(), claimedFileSchema)
            .meta({ description: 'Further files, by the param that names them.' }),
        }),
      )
      .meta({ description: 'The run of the job, or those of the batch items that are open.' }),
  })
  .meta({ id: 'Claim' });

/** Body with which a worker reports that it goes on. */
export const progressSchema = z.strictObject({
  progress: z.number().min(0).max(1).meta({ description: 'Share of the job that is done.' }),
});

export const leaseSchema = z.object({ lease_seconds: z.number() }).meta({ id: 'Lease' });

/** Query that names a file of the request. */
export const inputQuerySchema = z.strictObject({
  role: z.enum(['input', 'attachment']),
  position: position.meta({ description: 'As the path of the file in the claim has it.' }),
});

/** Query that names a file of the result. */
export const outputQuerySchema = z.strictObject({
  position: position.meta({ description: POSITION_HINT }),
  file: z.coerce
    .number()
    .int()
    .min(0)
    .max(99)
    .meta({ description: 'Position among the files of the result, from 0.' }),
  name: z
    .string()
    .max(100)
    .regex(PLAIN_NAME, 'must be a plain file name with an extension')
    .meta({ description: 'File name with extension.', example: 'output.webp' }),
});

export const outputSchema = z
  .object({ name: z.string(), bytes: z.int(), sha256: z.string().meta({ description: 'In hex.' }) })
  .meta({ id: 'ClaimOutput' });

const success = z.strictObject({
  outcome: z.literal('completed').meta({ description: 'The files of the result have been sent.' }),
  position: z.int().min(0).max(POSITION_MAX).meta({ description: POSITION_HINT }),
  engine: z.string().min(1).max(200).meta({ description: 'Engine that ran.' }),
  warnings: z
    .array(
      z.strictObject({
        kind: z.string().max(100),
        names: z.array(z.string().max(1000)).max(20),
        message: z.string().max(2000),
      }),
    )
    .max(100)
    .default([]),
  weights: z
    .array(
      z.strictObject({
        id: z.string().max(200),
        sha256: z.string().regex(/^[\da-f]{64}$/, 'must be SHA-256 in hex'),
      }),
    )
    .max(100)
    .default([])
    .meta({ description: 'Files of weights that ran.' }),
  details: z.looseObject({}).default({}).meta({ description: 'Further findings of the run.' }),
  processing_ms: z.int().min(0).meta({ description: 'Duration of the run.' }),
});

const failure = z.strictObject({
  outcome: z.enum(['failed', 'error', 'retry']).meta({
    description:
      'failed: by its input. error: by a fault that another attempt would meet. retry: by one that it might not meet.',
  }),
  position: z.int().min(0).max(POSITION_MAX).meta({ description: POSITION_HINT }),
  code: z.enum(ERROR_CODES).meta({ description: 'Kind of the failure.' }),
  message: z.string().min(1).max(1000).meta({ description: 'Sentence for the user.' }),
  field: z.string().max(200).optional(),
});

/** Body with which a worker reports the end of a run. */
export const reportSchema = z.discriminatedUnion('outcome', [success, failure]);

export const reportedSchema = z
  .object({ status: z.enum(JOB_STATUSES).meta({ description: 'State of the job by now.' }) })
  .meta({ id: 'ReportedRun' });
