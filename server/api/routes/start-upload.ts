import { z } from 'zod';
import { parseParams } from '../../../models/core/operation/params.ts';
import { startUpload as openUpload, partsUrl, UPLOAD_BYTES_MAX, uploadUrl } from '../../io/uploads/index.ts';
import { describeBody, describeProblems, describeResponse } from '../openapi/openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { assertUploadAdmitted } from '../submit/admission.ts';
import { jsonResponse } from '../transport/problem.ts';
import { parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';

const BODY_BYTES_MAX = 10_000;

/** Body that starts an upload in parts. */
const startUploadSchema = z.strictObject({
  bytes: z
    .int()
    .min(1)
    .max(UPLOAD_BYTES_MAX)
    .meta({ description: 'Length of the whole file.', example: 120_000_000 }),
});

const resumableUploadSchema = z
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

/**
 * Makes room for a file that arrives in parts. The URL that takes them needs no key: it can be handed to the program
 * that has the file.
 */
export const startUpload = defineRoute({
  method: 'POST',
  path: '/v2/uploads',
  audience: 'programs',
  authentication: 'either',
  permission: 'jobs.change',
  docs: {
    operationId: 'startUpload',
    tag: 'uploads',
    summary: 'Room for a file that arrives in parts',
    description: `For a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB that a broken connection should not send again. Send its bytes to parts_url by PATCH, as the protocol tus 1.0.0 does; that URL works without a key.`,
    requestBody: describeBody(startUploadSchema),
    responses: {
      '201': describeResponse('There is room for the file.', resumableUploadSchema),
      ...describeProblems([
        'bad_request',
        'body_too_large',
        'unauthorized',
        'insufficient_balance',
        'too_many_requests',
        'storage_full',
      ]),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Parse.
    const body = parseJsonObject(await readBody(request, BODY_BYTES_MAX));
    annotateBody(request, body);
    const { bytes } = parseParams(startUploadSchema, body);
    // 2. Admit: the account can pay for the cheapest use of the file, and may store more.
    await assertUploadAdmitted(ctx, actor);
    // 3. Make room.
    const { token, expiresAt } = await openUpload(ctx, actor.accountId, bytes);
    // 4. Respond.
    const parts_url = await partsUrl(ctx, token);
    const upload_url = uploadUrl(ctx.env.PUBLIC_URL, token);
    const upload = { parts_url, upload_url, bytes, expires_at: expiresAt.toISOString() };
    return jsonResponse(201, upload, { location: parts_url });
  },
});
