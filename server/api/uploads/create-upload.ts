import { fieldError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { receiveUpload, uploadUrl } from '../../io/uploads/index.ts';
import { assertUploadAdmitted } from '../submit/admission.ts';
import { drainBody } from '../transport/drain-body.ts';
import { iterateBody } from '../transport/iterate-body.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Handles POST /uploads: stores the raw body as the input of one later request of the same account. */
export async function createUpload(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  assertNoForm(request);
  const body = (request.body ?? new Blob([]).stream()).getReader();
  try {
    await assertUploadAdmitted(ctx, actor);
    const { token, bytes, expiresAt } = await receiveUpload(ctx, {
      accountId: actor.accountId,
      declaredBytes: Number(request.headers.get('content-length') ?? 0),
      body: iterateBody(request, body),
    });
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
