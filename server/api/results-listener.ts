import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { Context } from '../base/context.ts';
import { schema } from '../base/database/db.ts';
import type { ByteRange } from '../base/storage.ts';
import { resultUrlConfig, verifyResultUrl } from '../io/storage/index.ts';
import { sendFile } from './send-file.ts';
import { allowAnyOrigin, isPreflight, preflightResponse } from './transport/cross-origin.ts';
import { problemResponse } from './transport/problem.ts';
import { rejectInvalidRequest } from './transport/reject-invalid-request.ts';
import { serveRequest } from './transport/serve-request.ts';

type FileRow = typeof schema.files.$inferSelect;

const METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * Serves `/cdn/...` straight from Node: a Next route loses the Content-Length, without which no client can show
 * progress or seek in a video.
 */
export function createResultsListener(ctx: Context): RequestListener {
  return (incoming, outgoing) => {
    // A Request cannot even be made of some methods.
    if (incoming.method !== 'OPTIONS' && rejectInvalidRequest(incoming, outgoing, ctx)) return;
    serve(ctx, incoming, outgoing).catch((err) => {
      // Either the client left, or the store failed after the headers were sent: the broken connection reports it.
      ctx.log.debug({ err }, 'result not sent whole');
      outgoing.destroy();
    });
  };
}

async function serve(ctx: Context, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const startedAtMs = performance.now();
  const { method } = incoming;
  const { pathname: path } = new URL(`http://localhost${incoming.url}`);
  const { status } = await serveRequest(incoming, outgoing, (request) => serveResult(ctx, request));
  const durationMs = Math.round(performance.now() - startedAtMs);
  // Without the query: its signature opens the file.
  ctx.log.info({ method, path, status, durationMs }, 'request');
}

/**
 * Serves `GET` and `HEAD /cdn/...`: a result file, while its signed URL is valid, to pages of any origin. Errors are
 * JSON.
 */
export async function serveResult(ctx: Context, request: Request): Promise<Response> {
  if (isPreflight(request)) return preflightResponse(METHODS);
  return allowAnyOrigin(await respond(ctx, request));
}

async function respond(ctx: Context, request: Request): Promise<Response> {
  try {
    if (!METHODS.includes(request.method)) {
      throw new OperationError('method_not_allowed', 'Use GET or HEAD here.');
    }
    const file = await findFile(ctx, new URL(request.url));
    return await sendFile(ctx, request, {
      bytes: file.bytes,
      sha256: file.sha256.toString('hex'),
      headers: fileHeaders(file),
      open: (range) => openStored(ctx, file.key, range),
    });
  } catch (thrown) {
    const response = problemResponse(thrown, ctx, request);
    if (response.status === 405) response.headers.set('allow', METHODS.join(', '));
    return response;
  }
}

async function findFile(ctx: Context, url: URL): Promise<FileRow> {
  const verified = verifyResultUrl(await resultUrlConfig(ctx), url);
  if (verified === 'invalid') {
    throw new OperationError(
      'forbidden',
      'The signature of this URL is not valid. Use the URL from the job.',
    );
  }
  if (verified === 'expired') throw resultGone();
  const { files } = schema;
  const [file] = await ctx.db.select().from(files).where(eq(files.key, verified.key));
  // The file of a deleted account expires before its URL, and the clean-up takes a while.
  if (!file || file.deletedAt || file.expiresAt <= new Date()) throw resultGone();
  return file;
}

function resultGone(): OperationError {
  return new OperationError('gone', 'This result has expired and was deleted. Run the job again.');
}

async function openStored(ctx: Context, key: string, range: ByteRange | undefined): Promise<Readable> {
  const { stream } = await ctx.storage.get(key, range).catch((error) => {
    throw error instanceof OperationError && error.code === 'not_found' ? resultGone() : error;
  });
  return stream;
}

function fileHeaders(file: FileRow): Headers {
  const secondsLeft = Math.max(0, Math.floor((file.expiresAt.getTime() - Date.now()) / 1000));
  // no-transform: compression by a proxy would break ranges and the ETag.
  return new Headers({
    'cache-control': `private, no-transform, max-age=${secondsLeft}, immutable`,
    'content-disposition': contentDisposition(file.fileName ?? file.name),
    'content-type': file.mediaType,
    'cross-origin-resource-policy': 'cross-origin',
  });
}

/** Writes both forms of the name, as RFC 6266 advises: plain ASCII for old clients, UTF-8 for all others. */
function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `inline; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
