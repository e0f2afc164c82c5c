import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { BodyAllowance } from '../limits/process-limits.ts';
import { iterateBody } from './iterate-body.ts';
import { assertJsonLimits } from './json-limits.ts';

/** Room for everything in a body but files. */
export const FIELDS_BYTES_MAX = 1_000_000;

/** Room for a usual body; it doubles for larger ones. */
const FIRST_BYTES = 8_192;

/** Returns the size limit of a request's JSON: one that carries its input in base64 needs room for it. */
export function getBodyBytesMax({ inputs, limits }: Pick<Operation, 'inputs' | 'limits'>): number {
  const takesFile = Object.values(inputs).some(({ encoding }) => encoding === 'base64');
  return FIELDS_BYTES_MAX + (takesFile ? Math.ceil(limits.inputBytesMax / 3) * 4 : 0);
}

/**
 * Reads a request body as text, up to the limit.
 * @param room counts the bytes as they arrive; its errors pass unchanged
 * @throws OperationError `bad_request`, `body_too_large` beyond the limit, or `cancelled` when the client leaves
 */
export async function readBody(
  request: Request,
  bytesMax: number,
  room?: Pick<BodyAllowance, 'receive'>,
): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw fieldError('Content-Type', 'must be application/json.');
  }
  // Chunks are copied as they arrive: each of a few bytes would take a hundred times as much.
  let body = Buffer.alloc(FIRST_BYTES);
  let bytes = 0;
  for await (const chunk of iterateBody(request)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new OperationError('body_too_large', `body: must be at most ${bytesMax} bytes.`);
    }
    room?.receive(chunk.byteLength);
    if (bytes > body.length) body = Buffer.concat([body], Math.max(bytes, 2 * body.length));
    body.set(chunk, bytes - chunk.byteLength);
  }
  return body.toString('utf8', 0, bytes);
}

/**
 * Parses one JSON object of bounded complexity.
 * @throws OperationError `bad_request` for anything else
 */
export function parseJsonObject(text: string): object {
  assertJsonLimits(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperationError('bad_request', 'body: must be valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OperationError('bad_request', 'body: must be a JSON object.');
  }
  return value;
}
