import type { Readable } from 'node:stream';
import { fieldError } from '../../models/core/operation/errors.ts';
import type { Context } from '../base/context.ts';
import type { ByteRange } from '../base/storage.ts';
import { problemResponse } from './transport/problem.ts';
import { streamBody } from './transport/stream-body.ts';

export interface FileToSend {
  readonly bytes: number;
  /** SHA-256 of the content, in hex; also the ETag. */
  readonly sha256: string;
  readonly headers: Headers;
  open(range: ByteRange | undefined): Promise<Readable>;
}

/** Serves an immutable file to `GET` or `HEAD`: 200, 206, 304 or 416, per RFC 9110. */
export async function sendFile(ctx: Context, request: Request, file: FileToSend): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers = new Headers(file.headers);
  headers.set('accept-ranges', 'bytes');
  headers.set('etag', etag);
  headers.set('x-content-type-options', 'nosniff');
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  const range = request.method === 'GET' ? parseByteRange(askedRange(request, etag), file.bytes) : null;
  if (range === 'unsatisfiable') return unsatisfiable(ctx, file);
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.bytes));
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  // The iterator reports an error, but listens from the first read on: one before that would end this process.
  const stream = (await file.open(range ?? undefined)).on('error', () => {});
  const close = () => void stream.destroy();
  return new Response(streamBody(stream, { request, close }), { status, headers });
}

/** Returns the requested range, unless If-Range shows that the client's part is of another version. */
function askedRange({ headers }: Request, etag: string): string | null {
  const ifRange = headers.get('if-range');
  return ifRange === null || ifRange === etag ? headers.get('range') : null;
}

function unsatisfiable(ctx: Context, file: FileToSend): Response {
  const problem = `the file has ${file.bytes} bytes. Ask for a range within them.`;
  const response = problemResponse(fieldError('Range', problem, { code: 'range_not_satisfiable' }), ctx);
  response.headers.set('content-range', `bytes */${file.bytes}`);
  return response;
}

/**
 * Parses a Range header for a body of `bytes` (RFC 9110, section 14).
 * @returns null to send the whole body: no header, not bytes, malformed, or several ranges, which may be ignored
 */
function parseByteRange(header: string | null, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const start = Math.max(0, bytes - Number(last));
    return start < bytes ? { start, end: bytes - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < start) return null;
  return start < bytes ? { start, end } : 'unsatisfiable';
}

/** Reports whether an If-None-Match header names an ETag: RFC 9110, section 13.1.2. */
export function matchesEtag(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
