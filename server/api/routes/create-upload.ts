import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { receiveUpload, UPLOAD_BYTES_MAX, UPLOAD_HOURS, uploadUrl } from '../../io/uploads/index.ts';
import { binary, describeBody, describeProblems, describeResponse } from '../openapi/openapi-parts.ts';
import { defineRoute, type KeyedCall } from '../route.ts';
import { assertUploadAdmitted } from '../submit/admission.ts';
import { jsonResponse } from '../transport/problem.ts';
import { drainBody, iterateBody } from '../transport/read-request.ts';

const uploadSchema = z
  .object({
    upload_url: z.string().meta({ description: 'URL for any input field of a request.' }),
    bytes: z.int(),
    expires_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Upload' });

/** Stores the raw body as the input of one later request of the same account. */
export const createUpload = defineRoute({
  method: 'POST',
  path: '/uploads',
  audience: 'programs',
  authentication: 'either',
  permission: 'jobs.change',
  docs: {
    operationId: 'createUpload',
    tag: 'uploads',
    summary: 'File for a later input',
    description: `Accepts a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB, as the body itself: not as a form. Its URL works in one request of the same account within ${UPLOAD_HOURS} hour; a rejected request does not consume it.`,
    requestBody: describeBody(binary, 'application/octet-stream'),
    responses: {
      '201': describeResponse('The file is stored.', uploadSchema),
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
  handle: receiveFile,
});

export async function receiveFile({
  ctx,
  request,
  actor,
}: Pick<KeyedCall, 'ctx' | 'request' | 'actor'>): Promise<Response> {
  assertNoForm(request);
  const body = (request.body ?? new Blob([]).stream()).getReader();
  try {
    // 1. Admit: the account can pay for the cheapest use of the file, and may store more.
    await assertUploadAdmitted(ctx, actor);
    // 2. Receive.
    const { token, bytes, expiresAt } = await receiveUpload(ctx, {
      accountId: actor.accountId,
      declaredBytes: Number(request.headers.get('content-length') ?? 0),
      body: iterateBody(request, body),
    });
    // 3. Respond.
    const upload_url = uploadUrl(ctx.env.PUBLIC_URL, token);
    return jsonResponse(201, { upload_url, bytes, expires_at: expiresAt.toISOString() });
  } catch (thrown) {
    void drainBody(body);
    throw thrown;
  }
}

function assertNoForm({ headers }: Request): void {
  if (!/^multipart\//i.test(headers.get('content-type') ?? '')) return;
  throw fieldError(
    'Content-Type',
    'must be that of the file, or application/octet-stream. Send the file itself as the body, not a form.',
  );
}
