import { OperationError } from '../../../models/core/operation/errors.ts';
import { iterateBody } from './iterate-body.ts';

/**
 * Reads a request's body as text.
 * @throws OperationError `body_too_large` as soon as it has more than `bytesMax` bytes
 */
export async function readText(request: Request, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of iterateBody(request)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      throw new OperationError('body_too_large', `The body must have at most ${bytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
