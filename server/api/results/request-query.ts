import { z } from 'zod';
import { JOB_STATUSES, type JobStatus } from '../../../models/core/operation/job.ts';
import { LABEL_FILTERS } from '../../../models/core/operation/job-labels.ts';
import { isRecent, SINCE } from '../../base/periods.ts';

const moment = z.iso.datetime({ offset: true }).refine(isRecent, SINCE);
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
  operation: z
    .string()
    .max(1000)
    .transform((text) => text.split(','))
    .optional()
    .meta({ description: 'Values of model_id, separated by commas. Every one without.', example: 'upscale' }),
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
