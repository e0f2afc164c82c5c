import { fieldError, OperationError } from '../../../models/operation/errors.ts';
import { parseParams } from '../../../models/operation/params.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../keys/index.ts';
import {
  deleteUpload,
  findResumableUpload,
  partsUrl,
  type ResumableUpload,
  readPartsToken,
  receivePart,
  startUpload,
  uploadUrl,
} from '../../uploads/index.ts';
import { startUploadSchema } from '../openapi/account-schemas.ts';
import { annotateBody } from '../request-log/annotate-request.ts';
import { assertUploadAdmitted } from '../submit/admission.ts';
import { iterateBody } from '../transport/iterate-body.ts';
import { jsonResponse } from '../transport/problem.ts';
import { parseJsonObject, readBody } from '../transport/read-json.ts';

const BODY_BYTES_MAX = 10_000;
const PART_TYPE = 'application/offset+octet-stream';
/** Headers of the tus protocol 1.0.0, whose core and extension `termination` are implemented. */
const TUS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' };

/**
 * Handles POST /v2/uploads: makes room for a file that arrives in parts. The URL that takes them needs no key: it can
 * be handed to whoever has the file.
 */
export async function createResumableUpload(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  const body = parseJsonObject(await readBody(request, BODY_BYTES_MAX));
  annotateBody(request, body);
  const { bytes } = parseParams(startUploadSchema, body);
  await assertUploadAdmitted(ctx, actor);
  const started = await startUpload(ctx, actor.accountId, bytes);
  const parts_url = await partsUrl(ctx, started.token);
  const response = jsonResponse(201, {
    parts_url,
    upload_url: uploadUrl(ctx.env.PUBLIC_URL, started.token),
    bytes,
    expires_at: started.expiresAt.toISOString(),
  });
  response.headers.set('location', parts_url);
  return response;
}

/** Handles HEAD /v2/uploads/{token}: how many bytes have arrived. */
export async function getUploadOffset(ctx: Context, _request: Request, segment: string): Promise<Response> {
  const token = await readToken(ctx, segment);
  return new Response(null, { status: 200, headers: headersOf(await findResumableUpload(ctx, token)) });
}

/** Handles PATCH /v2/uploads/{token}: appends the body at Upload-Offset. */
export async function appendPart(ctx: Context, request: Request, segment: string): Promise<Response> {
  const token = await readToken(ctx, segment);
  if (request.headers.get('content-type') !== PART_TYPE) {
    throw fieldError('Content-Type', `must be ${PART_TYPE}.`);
  }
  const offset = request.headers.get('upload-offset') ?? '';
  if (!/^\d{1,12}$/.test(offset)) {
    throw fieldError('Upload-Offset', 'must be the number of bytes before this part.');
  }
  const reader = (request.body ?? new Blob([]).stream()).getReader();
  const arrival = await receivePart(ctx, token, {
    offset: Number(offset),
    body: iterateBody(request, reader),
    stop: () => void reader.cancel().catch(() => {}),
  });
  return new Response(null, { status: 204, headers: headersOf(arrival) });
}

/** Handles DELETE /v2/uploads/{token}. */
export async function terminateUpload(ctx: Context, _request: Request, segment: string): Promise<Response> {
  await deleteUpload(ctx, await readToken(ctx, segment));
  return new Response(null, { status: 204, headers: TUS });
}

async function readToken(ctx: Context, segment: string): Promise<string> {
  const token = await readPartsToken(ctx, segment);
  if (token !== null) return token;
  throw new OperationError('not_found', 'There is no such upload: this is no parts_url of the service.');
}

function headersOf({ bytes, receivedBytes, expiresAt }: ResumableUpload): Record<string, string> {
  return {
    ...TUS,
    'upload-length': String(bytes),
    'upload-offset': String(receivedBytes),
    'upload-expires': expiresAt.toUTCString(),
  };
}
