import { z } from 'zod';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { readPartsToken, type UploadRow } from '../../io/uploads/index.ts';

/** Headers of the tus protocol 1.0.0, whose core and extensions `creation`, `expiration` and `termination` are implemented. */
export const TUS_HEADERS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' };

/** Parameter of a path that names an upload in parts. */
export const UPLOAD_TOKEN = {
  path: z.object({ token: z.string().meta({ description: 'Last segment of parts_url.' }) }),
};

/** Headers of a response that tell the state of an upload. */
export const uploadHeadersSchema = z.object({
  'upload-offset': z.string().meta({ description: 'Bytes so far.' }),
  'upload-length': z.string().meta({ description: 'Bytes of the whole file.' }),
  'upload-expires': z.string().meta({ description: 'When the upload is deleted.' }),
  'tus-resumable': z.literal('1.0.0'),
});

/**
 * Returns the token of an upload.
 * @param segment of its parts_url
 * @throws OperationError `not_found`
 */
export async function readToken(ctx: Context, segment: string): Promise<string> {
  const token = await readPartsToken(ctx, segment);
  if (token !== null) return token;
  throw new OperationError('not_found', 'There is no such upload: this is no parts_url of the service.');
}

/** Builds the headers that tell the state of an upload. */
export function buildUploadHeaders({ bytes, receivedBytes, expiresAt }: UploadRow): Record<string, string> {
  return {
    ...TUS_HEADERS,
    'upload-length': String(bytes),
    'upload-offset': String(receivedBytes ?? bytes),
    'upload-expires': expiresAt.toUTCString(),
  };
}

/**
 * Reads Upload-Metadata: pairs of a key and a value in base64, separated by commas.
 * @throws OperationError `bad_request` naming the header
 */
export function readMetadata({ headers }: Request): Readonly<Record<string, string>> {
  const pairs = (headers.get('upload-metadata') ?? '').split(',').map((pair) => pair.trim());
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return Object.fromEntries(
      pairs.filter(Boolean).map((pair) => {
        const [key = '', value = ''] = pair.split(' ');
        return [key, decoder.decode(Buffer.from(value, 'base64'))];
      }),
    );
  } catch {
    throw fieldError('Upload-Metadata', 'must hold UTF-8 in base64.');
  }
}
