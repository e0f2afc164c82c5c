import { z } from 'zod';
import { JOB_STATUSES, type JobStatus } from '../../models/core/operation/job.ts';
import { LABEL_FILTERS } from '../../models/core/operation/job-labels.ts';
import { isRecent, SINCE } from '../base/periods.ts';
import { pageFields } from './transport/query-fields.ts';

const moment = z.iso
  .datetime({ offset: true })
  .refine(isRecent, SINCE)
  .transform((text) => new Date(text));

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
  ...pageFields('Requests'),
});
