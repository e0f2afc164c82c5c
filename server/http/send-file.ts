import { addAbortSignal, type Readable } from 'node:stream';
import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import type { ByteRange } from '../storage/index.ts';
import { parseByteRange } from './byte-range.ts';
import { problem } from './problem.ts';

export interface FileToSend {
  readonly bytes: number;
  /** Of the content, in hex: it is the ETag. */
  readonly sha256: string;
  readonly headers: Headers;
  open(range: ByteRange | undefined): Promise<Readable>;
}

/** Answers `GET` or `HEAD` for a file that never changes: 200, 206, 304 or 416, as RFC 9110 has it. */
export async function sendFile(ctx: Context, request: Request, file: FileToSend): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers = new Headers(file.headers);
  headers.set('accept-ranges', 'bytes');
  headers.set('etag', etag);
  headers.set('x-content-type-options', 'nosniff');
  if (matches(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  const range = request.method === 'GET' ? parseByteRange(askedRange(request, etag), file.bytes) : null;
  if (range === 'unsatisfiable') return unsatisfiable(ctx, file);
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.bytes));
  const body = request.method === 'HEAD' ? null : bodyOf(await file.open(range ?? undefined), request.signal);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Reads as fast as the client takes, and lets go of the source even if nothing was ever read of it. */
export function bodyOf(stream: Readable, signal: AbortSignal): ReadableStream {
  // A client that left before the first piece never cancels the body.
  addAbortSignal(
    signal,
    stream.on('error', () => {}),
  );
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

/** A range of what the client has in part is of use only while that is still the same. */
function askedRange({ headers }: Request, etag: string): string | null {
  const ifRange = headers.get('if-range');
  return ifRange === null || ifRange === etag ? headers.get('range') : null;
}

function matches(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

function unsatisfiable(ctx: Context, file: FileToSend): Response {
  const message = `Range: the file has ${file.bytes} bytes. Ask for a range within them.`;
  const response = problem(new OperationError('range_not_satisfiable', message), ctx.log);
  response.headers.set('content-range', `bytes */${file.bytes}`);
  return response;
}
