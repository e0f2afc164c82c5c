import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../keys/index.ts';
import { receiveUpload, uploadUrl } from '../uploads/index.ts';
import { json } from './problem.ts';

/** How long a refused body is read on, without keeping any of it. */
const LINGER_MS = 5_000;

/** POST /uploads: takes a file as the raw body, to be the input of one later request of the same account. */
export async function createUpload(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  assertNoForm(request);
  const body = (request.body ?? new Blob([]).stream()).getReader();
  try {
    const { token, bytes, expiresAt } = await receiveUpload(ctx, {
      accountId: actor.accountId,
      declaredBytes: Number(request.headers.get('content-length') ?? 0),
      body: chunksOf(body),
    });
    const upload_url = uploadUrl(ctx.env.PUBLIC_URL, token);
    return json(201, { upload_url, bytes, expires_at: expiresAt.toISOString() });
  } catch (thrown) {
    void linger(body);
    throw thrown;
  }
}

function assertNoForm({ headers }: Request): void {
  if (!/^multipart\//i.test(headers.get('content-type') ?? '')) return;
  throw new OperationError(
    'bad_request',
    'Content-Type: must be that of the file, or application/octet-stream. Send the file itself as the body, not a form.',
  );
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Whoever stops taking these does not end the connection, on which the answer is still to go. */
async function* chunksOf(body: BodyReader): AsyncGenerator<Uint8Array> {
  for (let next = await body.read(); !next.done; next = await body.read()) yield next.value;
}

/** Most clients read the answer only while they can send: see RFC 9112, section 9.6. Never rejects. */
async function linger(body: BodyReader): Promise<void> {
  const stop = setTimeout(() => body.cancel().catch(() => {}), LINGER_MS);
  try {
    while (!(await body.read()).done);
  } catch {
    // The client has left: nobody waits for the answer.
  } finally {
    clearTimeout(stop);
  }
}
