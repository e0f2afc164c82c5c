import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../keys/index.ts';
import { receiveUpload, uploadUrl } from '../uploads/index.ts';
import { json, problem } from './problem.ts';

/**
 * POST /uploads: takes a file as the raw body, to be the input of one later request of the same account. After a refusal
 * the connection ends, so that nobody sends on what is not read.
 */
export async function createUpload(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  try {
    const { token, bytes, expiresAt } = await receiveUpload(ctx, {
      accountId: actor.accountId,
      declaredBytes: Number(request.headers.get('content-length') ?? 0),
      body: fileIn(request),
    });
    const upload_url = uploadUrl(ctx.env.PUBLIC_URL, token);
    return json(201, { upload_url, bytes, expires_at: expiresAt.toISOString() });
  } catch (thrown) {
    const response = problem(thrown, ctx.log);
    response.headers.set('connection', 'close');
    return response;
  }
}

/** The body itself. Giving up on it leaves the connection open, for the answer. @throws OperationError `bad_request` */
function fileIn({ headers, body }: Request): AsyncIterable<Uint8Array> {
  if (/^multipart\//i.test(headers.get('content-type') ?? '')) {
    throw new OperationError(
      'bad_request',
      'Content-Type: must be that of the file, or application/octet-stream. Send the file itself as the body, not a form.',
    );
  }
  return (body ?? new Blob([]).stream()).values({ preventCancel: true });
}
