import { z } from 'zod';
import type { ErrorCode } from '../../models/core/operation/error-table.ts';
import type { Context } from '../base/context.ts';
import type { Actor } from '../identity/keys/index.ts';
import { partsUrl, UPLOAD_HOURS, type UploadOwner, type UploadRow, uploadUrl } from '../io/uploads/index.ts';
import { wholeNumber } from './transport/query-fields.ts';

const { min, max, usual } = UPLOAD_HOURS;
const NAME_LENGTH_MAX = 255;

/** Fields with which a caller describes a file that is to come. */
export const uploadFields = {
  name: z
    .string()
    .min(1)
    .max(NAME_LENGTH_MAX)
    .optional()
    .meta({ description: 'Name of the file, after which results are named.', example: 'otter.jpg' }),
  expires_in_hours: z
    .number()
    .int()
    .min(min)
    .max(max)
    .default(usual)
    .meta({ description: `Hours for which the upload works in requests, ${min} to ${max}.` }),
};

/** Query of a request whose body is the file. */
export const uploadQuerySchema = z.strictObject({
  name: uploadFields.name,
  expires_in_hours: wholeNumber(min, max, z.number())
    .prefault(usual)
    .meta({ description: `Hours for which the upload works in requests, ${min} to ${max}.` }),
});

/** Refusals of a request that begins an upload. */
export const UPLOAD_FAULTS: readonly ErrorCode[] = [
  'bad_request',
  'body_too_large',
  'unsupported_encoding',
  'unauthorized',
  'insufficient_balance',
  'too_many_requests',
  'storage_full',
];

export const uploadSchema = z
  .object({
    upload_id: z.string().meta({ description: 'Names the upload in DELETE /api/uploads/{upload_id}.' }),
    upload_url: z
      .string()
      .meta({ description: 'URL for any input field of requests, once the file is complete.' }),
    parts_url: z.string().meta({ description: 'Takes the parts of the file, without a key.' }),
    name: z.string().optional().meta({ description: 'Absent where none was given.' }),
    bytes: z.int().meta({ description: 'Length of the whole file.' }),
    sha256: z.string().optional().meta({ description: 'In hex, once the bytes are there.' }),
    media_type: z.string().optional().meta({ description: 'By the bytes, once they are there.' }),
    expires_at: z.iso
      .datetime({ precision: 3 })
      .meta({ description: 'Time after which no request can use it.' }),
  })
  .meta({ id: 'Upload' });

/** Upload as those see it who may not change it. */
export const listedUploadSchema = uploadSchema.partial({ parts_url: true }).meta({ id: 'ListedUpload' });

/** Describes an upload to its owner. */
export async function describeUpload(
  ctx: Context,
  upload: UploadRow,
): Promise<z.output<typeof uploadSchema>> {
  const { token, name, bytes, sha256, mediaType, expiresAt } = upload;
  return {
    upload_id: token,
    upload_url: uploadUrl(ctx.env.PUBLIC_URL, token),
    parts_url: await partsUrl(ctx, token),
    ...(name !== null && { name }),
    bytes,
    ...(sha256 && { sha256: sha256.toString('hex') }),
    ...(mediaType !== null && { media_type: mediaType }),
    expires_at: expiresAt.toISOString(),
  };
}

/** Names an upload in a path. */
export const UPLOAD_ID = {
  path: z.object({ upload_id: z.string().meta({ description: 'As the upload has it.' }) }),
};

/** Returns whose uploads a caller may see. */
export function ownUploads({ accountId, visibleKeyIds }: Actor): UploadOwner {
  return { accountId, keyIds: visibleKeyIds };
}
