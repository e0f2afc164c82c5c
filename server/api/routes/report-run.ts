import { z } from 'zod';
import { ERROR_CODES } from '../../../models/core/operation/error-table.ts';
import { JOB_STATUSES } from '../../../models/core/operation/job.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import {
  findOwnAttempt,
  type OwnFailure,
  type OwnSuccess,
  settleOwnRun,
} from '../../jobs/self-hosted/index.ts';
import {
  CLAIM_FAULTS,
  CLAIM_ID,
  CLAIM_LOST,
  CLAIM_PATH,
  POSITION_HINT,
  POSITION_MAX,
} from '../claim-routes.ts';
import { describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { parseJsonObject, readBody } from '../transport/read-request.ts';

/** Room for the findings of a run, which stay with its job and are read with whole lists of jobs. */
const REPORT_BYTES_MAX = 64_000;

const success = z.strictObject({
  outcome: z.literal('completed').meta({ description: 'completed: the files of the result have been sent.' }),
  position: z.int().min(0).max(POSITION_MAX).meta({ description: POSITION_HINT }),
  engine: z.string().min(1).max(200).meta({ description: 'Engine that ran.' }),
  warnings: z
    .array(
      z.strictObject({
        kind: z.string().max(100).meta({ description: 'Kind of the warning.' }),
        names: z.array(z.string().max(1000)).max(20).meta({ description: 'What the warning is about.' }),
        message: z.string().max(2000).meta({ description: 'Sentence for the user.' }),
      }),
    )
    .max(100)
    .default([])
    .meta({ description: 'Parts of the request that could not be fulfilled.' }),
  weights: z
    .array(
      z.strictObject({
        id: z.string().max(200).meta({ description: 'Name of the file.' }),
        sha256: z
          .string()
          .regex(/^[\da-f]{64}$/, 'must be SHA-256 in hex')
          .meta({ description: 'In hex.' }),
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
  field: z.string().max(200).optional().meta({ description: 'Field of the request that is at fault.' }),
});

/** Body with which a worker reports the end of a run. */
const reportSchema = z.discriminatedUnion('outcome', [success, failure]);

const reportedSchema = z
  .object({ status: z.enum(JOB_STATUSES).meta({ description: 'State of the job by now.' }) })
  .meta({ id: 'ReportedRun' });

/** Settles a run, and with the last one the job. */
export const reportRun = defineRoute({
  method: 'POST',
  path: `${CLAIM_PATH}/report`,
  permission: 'jobs.change',
  isForWorkers: true,
  docs: {
    operationId: 'reportRun',
    tag: 'workers',
    summary: 'End of a run',
    description:
      'Settles the run, and with the last run the job. Engine, weights and result count as reported by the account, and the receipt says so. May be repeated after a lost response.',
    requestParams: CLAIM_ID,
    requestBody: describeBody(reportSchema),
    responses: {
      '200': describeResponse('The run is settled.', reportedSchema),
      ...describeProblems([...CLAIM_FAULTS, 'body_too_large', 'unsupported_encoding']),
      ...CLAIM_LOST,
    },
  },
  async handle({ ctx, request, actor, segment: claimId }) {
    // 1. Find the job.
    const own = await findOwnAttempt(ctx, actor, claimId);
    // 2. Parse.
    const report = parseParams(reportSchema, parseJsonObject(await readBody(request, REPORT_BYTES_MAX)));
    // 3. Settle.
    const status = await settleOwnRun(ctx, own, report.position, readReport(report));
    return jsonResponse(200, { status });
  },
});

function readReport(report: z.output<typeof reportSchema>): OwnSuccess | OwnFailure {
  if (report.outcome !== 'completed') return report;
  const { processing_ms: processingMs, ...success } = report;
  // What came as JSON is JSON, and the kinds of warnings of a newer worker are words like others.
  return { ...success, processingMs } as OwnSuccess;
}
