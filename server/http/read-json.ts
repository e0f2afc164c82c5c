import { OperationError } from '../../models/errors.ts';
import type { Operation } from '../../models/operation.ts';

/** For everything in a body but files. */
const FIELDS_BYTES_MAX = 1_000_000;

/** How long the JSON of a request may be: one that carries its input in base64 needs room for it. */
export function bodyBytesMax({ inputs, limits }: Pick<Operation, 'inputs' | 'limits'>): number {
  const takesFile = Object.values(inputs).some(({ encoding }) => encoding === 'base64');
  return FIELDS_BYTES_MAX + (takesFile ? Math.ceil(limits.inputBytesMax / 3) * 4 : 0);
}

/**
 * Reads a request body as text, never more than the limit.
 * @throws OperationError `bad_request`
 */
export async function readBody(request: Request, bytesMax: number): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new OperationError('bad_request', 'Content-Type: must be application/json.');
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new OperationError('bad_request', `body: must be at most ${bytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws OperationError `bad_request` unless the text is one JSON object */
export function parseJsonObject(text: string): object {
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
