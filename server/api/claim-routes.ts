import { z } from 'zod';
import type { ErrorCode } from '../../models/core/operation/error-table.ts';
import { describeResponse, problemSchema } from './openapi-parts.ts';
import { wholeNumber } from './transport/query-fields.ts';

/** Path of the claims of an account's self-hosted workers. */
export const CLAIMS_PATH = '/v2/worker/claims';

/** Path of one of them. */
export const CLAIM_PATH = `${CLAIMS_PATH}/{claim_id}`;

/** Parameter of a path that names a claim. */
export const CLAIM_ID = {
  path: z.object({ claim_id: z.string().meta({ description: 'As the claim has it.' }) }),
};

/** Response to a worker that has lost its job. */
export const CLAIM_LOST = {
  '409': describeResponse('Another worker has the job, or it has ended or was canceled.', problemSchema),
};

export const CLAIM_FAULTS: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'too_many_requests',
];

/** Highest position of a run in a claim. */
export const POSITION_MAX = 1000;
export const POSITION_HINT = 'Position of the run in the claim: that of a batch item, or 0.';

/** Documentation of a query's field that must be there, though a schema that reads its text could do without. */
export const REQUIRED = { param: { required: true } };

/** Position as a query has it. */
export const positionSchema = wholeNumber(0, POSITION_MAX).meta(REQUIRED);
