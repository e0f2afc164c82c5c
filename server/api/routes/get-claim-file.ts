import { z } from 'zod';
import { parseParams } from '../../../models/core/operation/params.ts';
import { findInput, findOwnAttempt } from '../../jobs/self-hosted/index.ts';
import { CLAIM_FAULTS, CLAIM_ID, CLAIM_LOST, CLAIM_PATH, positionSchema } from '../claim-routes.ts';
import { binary, describeProblems } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { sendFile } from '../send-file.ts';
import { parseQuery } from '../transport/read-request.ts';

/** Query that names a file of the request. */
export const inputQuerySchema = z.strictObject({
  role: z.enum(['input', 'attachment']).meta({ description: 'As the path of the file has it.' }),
  position: positionSchema.meta({ description: 'As the path of the file in the claim has it.' }),
});

/** Sends a file of the request to the machine that has its job. */
export const getClaimFile = defineRoute({
  method: 'GET',
  path: `${CLAIM_PATH}/files`,
  permission: 'jobs.change',
  isForWorkers: true,
  docs: {
    operationId: 'getClaimFile',
    tag: 'workers',
    summary: 'A file of the request',
    description: 'Sends the input or an attachment, or a range of it.',
    requestParams: { ...CLAIM_ID, query: inputQuerySchema },
    responses: {
      '200': { description: 'The bytes.', content: { '*/*': { schema: binary } } },
      '206': { description: 'The bytes of the range.', content: { '*/*': { schema: binary } } },
      '304': { description: 'The bytes are those of If-None-Match.' },
      ...describeProblems([...CLAIM_FAULTS, 'range_not_satisfiable']),
      ...CLAIM_LOST,
    },
  },
  async handle({ ctx, request, actor, segment: claimId }) {
    // 1. Find the job, then its file.
    const own = await findOwnAttempt(ctx, actor, claimId);
    const query = parseParams(inputQuerySchema, parseQuery(request));
    const { key, bytes, sha256, mediaType } = await findInput(ctx, own, query);
    // 2. Send.
    return await sendFile(ctx, request, {
      bytes,
      sha256: sha256.toString('hex'),
      headers: new Headers({ 'content-type': mediaType, 'cache-control': 'no-store' }),
      open: async (range) => (await ctx.storage.get(key, range)).stream,
    });
  },
});
