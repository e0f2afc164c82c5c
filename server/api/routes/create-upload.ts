import { fieldError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { receiveUpload, UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../../io/uploads/index.ts';
import { binary, describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { assertUploadAdmitted } from '../submit/admission.ts';
import { jsonResponse } from '../transport/problem.ts';
import { drainBody, iterateBody, parseQuery, readDeclaredBytes } from '../transport/read-request.ts';
import { describeUpload, UPLOAD_FAULTS, uploadQuerySchema, uploadSchema } from '../upload-view.ts';

/** Stores the raw body as the input of later requests of the same account. */
export const createUpload = defineRoute({
  method: 'POST',
  path: '/uploads',
  permission: 'jobs.change',
  isForTokens: true,
  docs: {
    operationId: 'createUpload',
    tag: 'uploads',
    summary: 'File for later inputs',
    description: `Accepts a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB, as the body itself: not as a form. Its URL works in any number of requests of the same account, for ${UPLOAD_HOURS.usual} hours or as long as expires_in_hours says.`,
    requestParams: { query: uploadQuerySchema },
    requestBody: describeBody(binary, 'application/octet-stream'),
    responses: {
      '201': describeResponse('The file is stored.', uploadSchema),
      ...describeProblems(UPLOAD_FAULTS),
    },
  },
  async handle({ ctx, request, actor }) {
    const body = (request.body ?? new Blob([]).stream()).getReader();
    try {
      // 1. Parse.
      assertNoForm(request);
      const { name, expires_in_hours: hours } = parseParams(uploadQuerySchema, parseQuery(request));
      // 2. Admit: the account can pay for the cheapest use of the file, and may store more.
      await assertUploadAdmitted(ctx, actor);
      // 3. Receive.
      const upload = await receiveUpload(ctx, {
        accountId: actor.accountId,
        keyId: actor.keyId,
        tokenId: actor.tokenId,
        name,
        hours,
        declaredBytes: readDeclaredBytes(request),
        body: iterateBody(request, body),
      });
      // 4. Respond.
      return jsonResponse(201, await describeUpload(ctx, upload));
    } catch (thrown) {
      void drainBody(body);
      throw thrown;
    }
  },
});

function assertNoForm({ headers }: Request): void {
  if (!/^multipart\//i.test(headers.get('content-type') ?? '')) return;
  throw fieldError(
    'Content-Type',
    'must be that of the file, or application/octet-stream. Send the file itself as the body, not a form.',
  );
}
