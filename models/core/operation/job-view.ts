import { z } from 'zod';
import type { Operation } from './define-operation.ts';
import { ERROR_CODES } from './error-table.ts';
import { JOB_STATUSES } from './job.ts';
import { LABEL_MEMBERS } from './job-labels.ts';
import { resultFileSchema } from './result-file.ts';
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

const RESULT_HINT = 'Result in the form of the operation’s direct response, until its files expire.';
const OUTPUT_HINT = 'The result; null unless COMPLETED.';
const ITEMS_HINT = 'For a batch: each item’s result or error, in the order of the request.';

/** Files of a result. */
export const resultFilesSchema = z
  .array(resultFileSchema)
  .meta({ description: 'The files, in the order of `media_url`.' });

/** Members of a batch item, whatever its operation. */
const ITEM_MEMBERS = {
  charged_usd: usd.meta({ description: 'Part of the charge for this item; 0 unless it ran with success.' }),
  duplicate_of: z.int().optional().meta({ description: 'Position of the item that this one repeats.' }),
};

const FAILED_ITEM_ID = 'FailedItem';

/** Batch item that failed. */
const failedItemSchema = z
  .object({
    status: z.literal('failed').meta({ description: 'failed: the item has no result.' }),
    error: z.string().meta({ description: 'Error message of the item.' }),
    code: errorCodeSchema,
    field: errorFieldSchema.optional(),
    request_id: z.string().meta({ description: 'The request_id of the batch.' }),
    ...ITEM_MEMBERS,
  })
  .meta({ id: FAILED_ITEM_ID });

/** Batch item with a result, with the members that every operation has; in jobs of earlier versions some are absent. */
const successItemSchema = z.looseObject({
  status: z.literal('success').meta({ description: 'success: the item has a result.' }),
  files: resultFilesSchema,
  engine: z.unknown(),
  engine_licence: engineLicenceSchema,
  warnings: z.array(z.string()).meta({ description: 'Parts of the item that could not be fulfilled.' }),
  cached: z.boolean().meta({ description: 'Whether it delivers an earlier result again.' }),
  ...ITEM_MEMBERS,
});

/** Returns the id of the schema of an operation's batch items. */
function getItemSchemaId({ id }: Pick<Operation, 'id'>): string {
  const name = id.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return `${name}Item`;
}

/** Lists the ids of the schemas of what a job of an operation results in, or of the items of its batches. */
export function getResultSchemaIds(operation: Operation, isBatch: boolean): string[] {
  if (isBatch) return [getItemSchemaId(operation), FAILED_ITEM_ID];
  const { id } = operation.response?.schema.meta() ?? {};
  return id === undefined ? [] : [id];
}

/** Returns the schema of an item of an operation's batches that has a result. */
function createItemSchema(operation: Operation): z.ZodType {
  const { response, jobMembers, isComposite } = operation;
  const { id: _, ...meta } = response?.schema.meta() ?? {};
  const own = response?.schema.shape ?? {
    media_url: OUTPUT_MEMBERS.media_url,
    media_type: OUTPUT_MEMBERS.media_type,
    ...jobMembers?.shape,
    ...(isComposite && { steps: OUTPUT_MEMBERS.steps, stopped_by: OUTPUT_MEMBERS.stopped_by }),
  };
  return z
    .strictObject({
      ...own,
      ...successItemSchema.shape,
      engine: z.string().meta({ description: 'Engine that ran.' }),
    })
    .meta({ ...meta, id: getItemSchemaId(operation) });
}

/** Outcome of a delivery to the client's bucket so far. */
const outputDeliverySchema = z
  .object({
    url: z.string().meta({ description: 'The URL without its query, which holds its signature.' }),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .meta({ description: 'pending until it has succeeded or failed for good.' }),
    attempts: z.int().min(0).meta({ description: 'Attempts so far.' }),
    http_status: z.int().nullable().meta({ description: 'Status of the latest response; null without one.' }),
    error: z.string().nullable().meta({ description: 'Fault of the latest attempt; null after a delivery.' }),
  })
  .meta({ id: 'OutputDelivery' });

export type OutputDelivery = z.output<typeof outputDeliverySchema>;

const OUTPUT_MEMBERS = {
  media_url: z
    .array(z.string())
    .meta({ description: 'URLs of the produced files, until they expire. Empty without files.' }),
  media_type: z.string().meta({
    description:
      'Of every file. multipart/mixed when they differ: each download names its own. application/json when the result itself is all there is.',
  }),
  files: resultFilesSchema,
  result: z.looseObject({}).optional().meta({ description: RESULT_HINT }),
  steps: z.record(z.string(), z.looseObject({})).optional().meta({
    description:
      'For a pipeline: the result of each step that ran, by its id, as an item of a batch of that operation has it.',
  }),
  stopped_by: z.string().optional().meta({
    description: 'For a pipeline: the step whose flagged input ended it.',
  }),
  cached: z.boolean().optional().meta({
    description: 'True where the result is that of an earlier request, delivered again at no charge.',
  }),
  items: z
    .array(z.union([successItemSchema, failedItemSchema]))
    .optional()
    .meta({ description: ITEMS_HINT }),
};

/** Members of every job, up to its output. */
const OUTCOME_MEMBERS = {
  request_id: z.string().meta({ description: '<model_id>_<unique suffix>' }),
  status: z.enum(JOB_STATUSES).meta({ description: 'State of the job.' }),
  model_id: z.string().meta({ description: 'The operation.' }),
  test: z
    .boolean()
    .meta({ description: 'Whether a test key sent it: it costs nothing, and its result is made up.' }),
  error: z.string().nullable().meta({ description: 'Error message; null unless FAILED or ERROR.' }),
  output: z.object(OUTPUT_MEMBERS).nullable().meta({ description: OUTPUT_HINT }),
};

/** Further members of every job. */
const CIRCUMSTANCE_MEMBERS = {
  steps: z.array(z.looseObject({})).optional().meta({
    description: 'For a pipeline: the steps that it runs, with their params after overrides.',
  }),
  created_at: moment.meta({ description: 'Time of acceptance.' }),
  started_at: moment.nullable().meta({ description: 'Time when work on it began; null before.' }),
  updated_at: moment.meta({ description: 'Time of the last change.' }),
  completed_at: moment.nullable().meta({ description: 'Time of the end; null before.' }),
  deleted_at: moment
    .nullable()
    .meta({ description: 'Time when its files were deleted on request; else null.' }),
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

/** Returns the schema of a job of any of some operations, with the types of their results. */
export function createJobViewSchema(operations: readonly Operation[]) {
  const members = operations.flatMap(({ jobMembers }) => Object.entries(jobMembers?.shape ?? {}));
  const results = operations.flatMap(({ response }) => response?.schema ?? []);
  const items = operations.filter(({ batch }) => batch).map(createItemSchema);
  const output = z.object({
    ...OUTPUT_MEMBERS,
    result: z.union(results).optional().meta({ description: RESULT_HINT }),
    items: z
      .array(z.union([...items, failedItemSchema]))
      .optional()
      .meta({ description: ITEMS_HINT }),
  });
  return z
    .object({
      ...OUTCOME_MEMBERS,
      output: output.nullable().meta({ description: OUTPUT_HINT }),
      ...Object.fromEntries(members),
      ...CIRCUMSTANCE_MEMBERS,
    })
    .meta({ id: 'Job' });
}
