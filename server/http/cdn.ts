import { addAbortSignal, type Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { type ByteRange, resultUrlConfig, verifyResultUrl } from '../storage/index.ts';
import { parseByteRange } from './byte-range.ts';
import { problem } from './problem.ts';

type FileRow = typeof schema.files.$inferSelect;

/** Answers `GET` and `HEAD /cdn/...`: a result file, while its signed URL is valid. Errors are JSON. */
export async function handleCdn(ctx: Context, request: Request): Promise<Response> {
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new OperationError('method_not_allowed', 'Use GET or HEAD here.');
    }
    const file = await findFile(ctx, new URL(request.url));
    return await sendFile(ctx, request, file);
  } catch (thrown) {
    const response = problem(thrown, ctx.log);
    if (response.status === 405) response.headers.set('allow', 'GET, HEAD');
    return response;
  }
}

async function findFile(ctx: Context, url: URL): Promise<FileRow> {
  const verified = verifyResultUrl(await resultUrlConfig(ctx), url);
  if (verified === 'invalid') {
    throw new OperationError(
      'forbidden',
      'The signature of this URL is not valid. Take the URL as the job gives it.',
    );
  }
  if (verified === 'expired') throw gone();
  const { files } = schema;
  const [file] = await ctx.db.select().from(files).where(eq(files.key, verified.key));
  if (!file || file.deletedAt) throw gone();
  return file;
}

function gone(): OperationError {
  return new OperationError('gone', 'This result has expired and is deleted. Run the job again.');
}

async function sendFile(ctx: Context, request: Request, file: FileRow): Promise<Response> {
  const etag = `"${file.sha256.toString('hex')}"`;
  const headers = fileHeaders(file, etag);
  if (matches(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  // A range of what the client has in part is of use only while that is still the same.
  const ifRange = request.headers.get('if-range');
  const asked = ifRange === null || ifRange === etag ? request.headers.get('range') : null;
  const range = request.method === 'GET' ? parseByteRange(asked, file.bytes) : null;
  if (range === 'unsatisfiable') return unsatisfiable(ctx, file);
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.bytes));
  const body = request.method === 'HEAD' ? null : await openBody(ctx, request, file.key, range ?? undefined);
  return new Response(body, { status: range ? 206 : 200, headers });
}

async function openBody(
  ctx: Context,
  request: Request,
  key: string,
  range?: ByteRange,
): Promise<ReadableStream> {
  const { stream } = await ctx.storage.get(key, range).catch((error) => {
    throw error instanceof OperationError && error.code === 'not_found' ? gone() : error;
  });
  // A client that left before the first piece never cancels the body.
  addAbortSignal(
    request.signal,
    stream.on('error', () => {}),
  );
  return readOnDemand(stream);
}

/** Reads as fast as the client takes, and lets go of the source even if nothing was ever read of it. */
function readOnDemand(stream: Readable): ReadableStream {
  const pieces = stream[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void stream.destroy(),
    },
    { highWaterMark: 0 },
  );
}

function fileHeaders(file: FileRow, etag: string): Headers {
  const secondsLeft = Math.max(0, Math.floor((file.expiresAt.getTime() - Date.now()) / 1000));
  // no-transform: whoever compresses on the way would break ranges and the ETag.
  return new Headers({
    'accept-ranges': 'bytes',
    'cache-control': `private, no-transform, max-age=${secondsLeft}, immutable`,
    'content-disposition': contentDisposition(file.name),
    'content-type': file.mediaType,
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'x-content-type-options': 'nosniff',
  });
}

/** Both forms of the name, as RFC 6266 advises: plain ASCII for old clients, UTF-8 for all others. */
function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `inline; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

function matches(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

function unsatisfiable(ctx: Context, file: FileRow): Response {
  const message = `Range: the file has ${file.bytes} bytes. Ask for a range within them.`;
  const response = problem(new OperationError('range_not_satisfiable', message), ctx.log);
  response.headers.set('content-range', `bytes */${file.bytes}`);
  return response;
}
