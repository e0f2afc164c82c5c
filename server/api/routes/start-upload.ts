import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { startUpload as openUpload, UPLOAD_BYTES_MAX } from '../../io/uploads/index.ts';
import { describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { assertUploadAdmitted } from '../submit/admission.ts';
import { jsonResponse } from '../transport/problem.ts';
import { parseJsonObject, parseQuery, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';
import { readMetadata, TUS_HEADERS } from '../transport/tus.ts';
import {
  describeUpload,
  UPLOAD_FAULTS,
  uploadFields,
  uploadQuerySchema,
  uploadSchema,
} from '../upload-view.ts';

const BODY_BYTES_MAX = 10_000;

/** Body that starts an upload in parts. */
const startUploadSchema = z.strictObject({
  bytes: z
    .int()
    .min(1)
    .max(UPLOAD_BYTES_MAX)
    .meta({ description: 'Length of the whole file.', example: 120_000_000 }),
  ...uploadFields,
});

/**
 * Makes room for a file that arrives in parts. The URL that takes them needs no key: it can be handed to the program
 * that has the file.
 */
export const startUpload = defineRoute({
  method: 'POST',
  path: '/v2/uploads',
  permission: 'jobs.change',
  isForTokens: true,
  docs: {
    operationId: 'startUpload',
    tag: 'uploads',
    summary: 'Room for a file that arrives in parts',
    description: `For a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB that a broken connection should not send again. Send its bytes to parts_url by PATCH, as the protocol tus 1.0.0 does; that URL works without a key. Clients of tus create the upload by Upload-Length and Upload-Metadata, without a body.`,
    requestBody: describeBody(startUploadSchema),
    responses: {
      '201': describeResponse('There is room for the file.', uploadSchema),
      ...describeProblems(UPLOAD_FAULTS),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Parse.
    const { bytes, name, expires_in_hours: hours } = await readUpload(request);
    // 2. Admit: the account can pay for the cheapest use of the file, and may store more.
    await assertUploadAdmitted(ctx, actor);
    // 3. Make room.
    const { accountId, keyId, tokenId } = actor;
    const upload = await openUpload(ctx, { accountId, keyId, tokenId, name, hours }, bytes);
    // 4. Respond.
    const view = await describeUpload(ctx, upload);
    return jsonResponse(201, view, {
      ...TUS_HEADERS,
      location: view.parts_url,
      'upload-expires': upload.expiresAt.toUTCString(),
    });
  },
});

/** Reads what is to be uploaded: from the headers of the protocol, or from our own body. */
async function readUpload(request: Request): Promise<z.output<typeof startUploadSchema>> {
  const length = request.headers.get('upload-length');
  if (length === null && !request.headers.has('upload-defer-length')) {
    const body = parseJsonObject(await readBody(request, BODY_BYTES_MAX));
    annotateBody(request, body);
    return parseParams(startUploadSchema, body);
  }
  const bytes = Number(length ?? Number.NaN);
  if (!/^\d+$/.test(length ?? '') || bytes < 1 || bytes > UPLOAD_BYTES_MAX) {
    throw fieldError('Upload-Length', `must be the length of the file, 1 to ${UPLOAD_BYTES_MAX} bytes.`);
  }
  const { filename: name } = readMetadata(request);
  return { bytes, ...parseParams(uploadQuerySchema, { ...(name && { name }), ...parseQuery(request) }) };
}
