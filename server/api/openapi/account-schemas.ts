import { z } from 'zod';
import { JOB_STATUSES, type JobStatus } from '../../../models/core/operation/job.ts';
import { LABEL_FILTERS } from '../../../models/core/operation/job-labels.ts';
import { jobViewSchema } from '../../../models/core/operation/job-view.ts';
import { isRecent, SINCE } from '../../base/recent-time.ts';
import { UPLOAD_BYTES_MAX } from '../../io/uploads/index.ts';

const moment = z.iso.datetime({ offset: true }).refine(isRecent, SINCE);
const day = z.iso.date().refine(isRecent, SINCE);
const usd = z.string().meta({ description: 'A decimal amount in US dollars.', example: '0.002' });

const PAGE_MAX = 100;

const isStatuses = (names: string[]): names is JobStatus[] =>
  names.every((name) => JOB_STATUSES.some((status) => status === name));

/** Query of the list of requests. */
export const requestQuerySchema = z.strictObject({
  status: z
    .string()
    .max(100)
    .transform((text) => text.split(','))
    .refine(isStatuses, `must be some of ${JOB_STATUSES.join(', ')}, separated by commas`)
    .optional()
    .meta({ description: 'States, separated by commas. Every state without.', example: 'QUEUED,PROCESSING' }),
  operation: z.string().min(1).max(100).optional().meta({ description: 'A model_id. Every one without.' }),
  ...LABEL_FILTERS,
  from: moment.optional().meta({ description: 'Earliest created_at, included.' }),
  to: moment.optional().meta({ description: 'Latest created_at, excluded.' }),
  cursor: z.string().max(300).optional().meta({ description: 'next_cursor of the page before.' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(25)
    .meta({ description: `Requests on a page, 1 to ${PAGE_MAX}.` }),
});

/** Body that starts an upload in parts. */
export const startUploadSchema = z.strictObject({
  bytes: z
    .int()
    .min(1)
    .max(UPLOAD_BYTES_MAX)
    .meta({ description: 'Length of the whole file.', example: 120_000_000 }),
});

export const resumableUploadSchema = z
  .object({
    parts_url: z.string().meta({ description: 'Takes the parts of the file, without a key.' }),
    upload_url: z
      .string()
      .meta({ description: 'URL for any input field of a request, once the file is complete.' }),
    bytes: z.int(),
    expires_at: z.iso
      .datetime({ precision: 3 })
      .meta({ description: 'Each part extends it to an hour after it.' }),
  })
  .meta({ id: 'PartedUpload' });

export const requestListSchema = z
  .object({
    requests: z
      .array(jobViewSchema.omit({ output: true, receipt: true }).meta({ id: 'JobSummary' }))
      .meta({ description: 'Newest first, without their output: the status of each has it.' }),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page.' }),
  })
  .meta({ id: 'RequestList' });

/** Longest range of a usage report. */
export const USAGE_DAYS_MAX = 366;

export const usageQuerySchema = z.strictObject({
  from: day.optional().meta({ description: 'First day (UTC), included. 30 days before to without.' }),
  to: day.optional().meta({ description: 'Last day (UTC), included. Today without.' }),
});

export const usageSchema = z
  .object({
    from: day,
    to: day,
    charged_usd: usd,
    usage: z
      .array(
        z.object({
          day,
          model_id: z.string(),
          key_id: z.string().nullable().meta({ description: 'null for requests without a key.' }),
          requests: z.int().meta({ description: 'Requests that completed.' }),
          charged_usd: usd,
        }),
      )
      .meta({ description: 'By day of the request, operation and key, oldest first.' }),
  })
  .meta({ id: 'Usage' });

export const quoteRequestSchema = z.strictObject({
  model_id: z.string().min(1).max(100).meta({ description: 'The operation.', example: 'upscale' }),
  request: z
    .looseObject({})
    .meta({ description: 'Body of the request to the operation, as it would be sent.' }),
});

export const quoteSchema = z
  .object({
    model_id: z.string(),
    price_usd: usd,
    expected_seconds: z.number().min(0).nullable().meta({
      description:
        'Usual time of such a run on this service, without the wait for its turn; null while too few have run, with a test key, and for a machine of your own.',
    }),
    engine: z.string().nullable().meta({
      description:
        'Engine that would run now; null for an operation with only one, and where the model depends on the pixels, as for upscale.',
    }),
    facts: z.looseObject({ mediaType: z.string() }).meta({
      description: 'Facts about the input that the price depends on.',
    }),
  })
  .meta({ id: 'Quote' });
