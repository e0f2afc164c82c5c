import { z } from 'zod';
import { JOB_STATUSES } from './job.ts';

const moment = z.iso.datetime({ precision: 3 });
const usd = z.string().meta({ description: 'A decimal amount in US dollars.', example: '0.002' });

/** A job as its owner sees it: the answer of the status resource and the body of the webhook. */
export const jobViewSchema = z
  .object({
    request_id: z.string().meta({ description: '<model_id>_<unique suffix>' }),
    status: z.enum(JOB_STATUSES),
    model_id: z.string(),
    error: z.string().nullable().meta({ description: 'What went wrong; null unless FAILED or ERROR.' }),
    output: z
      .object({
        media_url: z
          .array(z.string())
          .meta({ description: 'Where the produced files are, until they expire.' }),
        media_type: z.string(),
        result: z.looseObject({}).optional().meta({
          description: 'What the operation answers within the request, while the result has not expired.',
        }),
        items: z
          .array(z.looseObject({ status: z.enum(['success', 'failed']) }))
          .optional()
          .meta({
            description: 'Of a batch: each item’s result, or its error, in the order of the request.',
          }),
      })
      .nullable(),
    created_at: moment,
    updated_at: moment,
    completed_at: moment.nullable(),
    progress: z.number().min(0).max(1),
    billing: z.object({ held_usd: usd, charged_usd: usd }),
    warnings: z.array(z.string()),
    engine: z.string().nullable().meta({ description: 'What did the work; null while there is no result.' }),
  })
  .meta({ id: 'Job' });

export type JobView = z.output<typeof jobViewSchema>;
