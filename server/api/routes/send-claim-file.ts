import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { findOwnAttempt, storeOutput } from '../../jobs/self-hosted/index.ts';
import {
  CLAIM_FAULTS,
  CLAIM_ID,
  CLAIM_LOST,
  CLAIM_PATH,
  POSITION_HINT,
  positionSchema,
  REQUIRED,
} from '../claim-routes.ts';
import { binary, describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { getProcessLimits } from '../transport/process-limits.ts';
import { wholeNumber } from '../transport/query-fields.ts';
import { drainBody, iterateBody, parseQuery } from '../transport/read-request.ts';

/** SHA-256 as RFC 9530 writes it. */
const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z\d+/]{43}=):/;
const PLAIN_NAME = /^[\w-][\w.-]*\.[a-z\d]+$/;

/** Query that names a file of the result. */
export const outputQuerySchema = z.strictObject({
  position: positionSchema.meta({ description: POSITION_HINT }),
  file: wholeNumber(0, 99).meta({
    ...REQUIRED,
    description: 'Position among the files of the result, from 0.',
  }),
  name: z
    .string()
    .max(100)
    .regex(PLAIN_NAME, 'must be a plain file name with an extension')
    .meta({ description: 'File name with extension.', example: 'output.webp' }),
});

const outputSchema = z
  .object({
    name: z.string().meta({ description: 'Name of the file within the result.' }),
    bytes: z.int().meta({ description: 'Size of the file.' }),
    sha256: z.string().meta({ description: 'In hex.' }),
  })
  .meta({ id: 'ClaimOutput' });
const headersSchema = z.object({
  'content-digest': z
    .string()
    .meta({ description: 'SHA-256 of the body (RFC 9530).', example: 'sha-256=:47DEQpj8…=:' }),
});

/** Stores a file of the result from the machine that has its job. */
export const sendClaimFile = defineRoute({
  method: 'POST',
  path: `${CLAIM_PATH}/files`,
  permission: 'jobs.change',
  isForWorkers: true,
  docs: {
    operationId: 'sendClaimFile',
    tag: 'workers',
    summary: 'A file of the result',
    description:
      'Takes the raw bytes. They must be of the kind that the operation makes, and hash as Content-Digest says; a file that comes again takes the place of the first.',
    requestParams: { ...CLAIM_ID, query: outputQuerySchema, header: headersSchema },
    requestBody: describeBody(binary, '*/*'),
    responses: {
      '201': describeResponse('The file is stored.', outputSchema),
      ...describeProblems([...CLAIM_FAULTS, 'body_too_large', 'unsupported_encoding', 'storage_full']),
      ...CLAIM_LOST,
    },
  },
  async handle({ ctx, request, actor, segment: claimId }) {
    const reader = (request.body ?? new Blob([]).stream()).getReader();
    const room = getProcessLimits(ctx.env).fetched.acquire(actor.accountId, 0);
    try {
      // 1. Find the job.
      const own = await findOwnAttempt(ctx, actor, claimId);
      // 2. Parse.
      const { position: item, file, name } = parseParams(outputQuerySchema, parseQuery(request));
      // 3. Receive and store.
      const stored = await storeOutput(ctx, own, {
        place: { item, file },
        name,
        mediaType: request.headers.get('content-type') ?? '',
        sha256: readDigest(request),
        body: iterateBody(request, reader),
        signal: request.signal,
        count: room.grow,
      });
      // 4. Respond.
      return jsonResponse(201, { name, bytes: stored.bytes, sha256: stored.sha256.toString('hex') });
    } catch (thrown) {
      void drainBody(reader);
      throw thrown;
    } finally {
      room.release();
    }
  },
});

/** Returns the SHA-256 that a request states of its body. @throws OperationError `bad_request` without one */
function readDigest({ headers }: Request): Buffer {
  const [, digest] = DIGEST.exec(headers.get('content-digest') ?? '') ?? [];
  if (digest !== undefined) return Buffer.from(digest, 'base64');
  throw fieldError('Content-Digest', 'must be the SHA-256 of the body: sha-256=:<base64>:');
}
