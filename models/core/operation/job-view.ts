import { z } from 'zod';
import { ERROR_CODES } from './error-table.ts';
import { JOB_STATUSES } from './job.ts';
import { LABEL_MEMBERS } from './job-labels.ts';
import { PLACE_MEMBER } from './run-place.ts';

const moment = z.iso.datetime({ precision: 3 });
/** Code of an error, as every body of an error has it. */
export const errorCodeSchema = z.enum(ERROR_CODES).meta({
  id: 'ErrorCode',
  description: 'Kind of an error, for programs. Later versions may add codes.',
});

/** Field of a request that an error is about. */
export const errorFieldSchema = z.string().meta({
  description: 'Path in the body, such as `items[0].image_url`, or name of a header.',
  example: 'items[0].image_url',
});

/** Licences of the engine of a result. */
export const engineLicenceSchema = z.string().nullable().meta({
  description:
    'Licences of the weights of the engine that ran; null while there is no result, for codecs, and for a batch, whose items have their own.',
  example: 'Apache-2.0',
});

const usd = z.string().meta({ description: 'A decimal amount in US dollars.', example: '0.002' });

/** Members of a batch item that failed. */
const FAILED_ITEM = {
  error: z.string().optional().meta({ description: 'Error message of a failed item.' }),
  code: errorCodeSchema.optional(),
  field: errorFieldSchema.optional(),
  request_id: z.string().optional().meta({ description: 'For a failed item, the request_id of the batch.' }),
};

/** Outcome of a delivery to the client's bucket so far. */
const outputDeliverySchema = z
  .object({
    url: z.string().meta({ description: 'The URL without its query, which holds its signature.' }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0),
    http_status: z.int().nullable().meta({ description: 'Status of the latest response; null without one.' }),
    error: z.string().nullable().meta({ description: 'Fault of the latest attempt; null after a delivery.' }),
  })
  .meta({ id: 'OutputDelivery' });

export type OutputDelivery = z.output<typeof outputDeliverySchema>;

/** Members of every job, up to its output. */
const OUTCOME_MEMBERS = {
  request_id: z.string().meta({ description: '<model_id>_<unique suffix>' }),
  status: z.enum(JOB_STATUSES).meta({ description: 'State of the job.' }),
  model_id: z.string().meta({ description: 'The operation.' }),
  test: z
    .boolean()
    .meta({ description: 'Whether a test key sent it: it costs nothing, and its result is made up.' }),
  error: z.string().nullable().meta({ description: 'Error message; null unless FAILED or ERROR.' }),
  output: z
    .object({
      media_url: z
        .array(z.string())
        .meta({ description: 'URLs of the produced files, until they expire. Empty without files.' }),
      media_type: z.string().meta({
        description:
          'Of every file. multipart/mixed when they differ: each download names its own. application/json when the result itself is all there is.',
      }),
      result: z.looseObject({}).optional().meta({
        description: 'Result in the form of the operation’s direct response, until its files expire.',
      }),
      cached: z.boolean().optional().meta({
        description: 'True where the result is that of an earlier request, delivered again at no charge.',
      }),
      items: z
        .array(z.looseObject({ status: z.enum(['success', 'failed']), ...FAILED_ITEM }))
        .optional()
        .meta({
          description: 'For a batch: each item’s result or error, in the order of the request.',
        }),
    })
    .nullable(),
};

/** Further members of every job. */
const CIRCUMSTANCE_MEMBERS = {
  created_at: moment.meta({ description: 'Time of acceptance.' }),
  updated_at: moment.meta({ description: 'Time of the last change.' }),
  completed_at: moment.nullable().meta({ description: 'Time of the end; null before.' }),
  progress: z.number().min(0).max(1).meta({ description: 'Share of the run that is done.' }),
  billing: z
    .object({ held_usd: usd, charged_usd: usd })
    .meta({ description: 'Held until the end; charged when COMPLETED.' }),
  warnings: z
    .array(z.string())
    .meta({ description: 'Parts of the request that could not be fulfilled, in sentences.' }),
  engine: z.string().nullable().meta({ description: 'Engine that ran; null while there is no result.' }),
  engine_licence: engineLicenceSchema,
  code: errorCodeSchema.nullable().meta({ description: 'Code of the error; null unless FAILED or ERROR.' }),
  field: errorFieldSchema
    .nullable()
    .meta({ description: 'Field that the error is about, where there is one.' }),
  output_delivery: z.array(outputDeliverySchema).meta({
    description: 'Deliveries to `output_urls`, in their order; empty without.',
  }),
  receipt: z.string().nullable().meta({
    description:
      'Signed statement of what was done, as a compact JWS; null unless COMPLETED. The keys are at /.well-known/jwks.json.',
  }),
  ...PLACE_MEMBER,
  cached: z.boolean().meta({
    description: 'Whether it delivers the result of an earlier request again, at no charge.',
  }),
  ...LABEL_MEMBERS,
};

/** Job as its owner sees it: the response of the status resource and the body of the webhook. */
export type JobView = z.output<z.ZodObject<typeof OUTCOME_MEMBERS & typeof CIRCUMSTANCE_MEMBERS>>;

/** Returns the schema of a job. @param members that single operations add */
export function createJobViewSchema(members: z.ZodRawShape) {
  return z.object({ ...OUTCOME_MEMBERS, ...members, ...CIRCUMSTANCE_MEMBERS }).meta({ id: 'Job' });
}
