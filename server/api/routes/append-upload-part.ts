import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { receivePart } from '../../io/uploads/index.ts';
import { binary, describeBody, describeProblems } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { assertPlain, iterateBody } from '../transport/read-request.ts';
import { buildUploadHeaders, readToken, UPLOAD_TOKEN, uploadHeadersSchema } from '../transport/tus.ts';

const PART_TYPE = 'application/offset+octet-stream';

const headersSchema = z.object({
  'upload-offset': z.string().meta({ description: 'Bytes of the file before this part.' }),
});

/** Appends the body to an upload, at Upload-Offset. */
export const appendUploadPart = defineRoute({
  method: 'PATCH',
  path: '/v2/uploads/{token}',
  bucket: 'uploads',
  docs: {
    operationId: 'appendUploadPart',
    tag: 'uploads',
    summary: 'Next bytes of a file',
    description:
      'Appends the body at Upload-Offset. When the connection breaks, what has arrived is kept: ask for the offset by HEAD, and continue from there. A part that is still arriving ends when the next request comes.',
    requestParams: { ...UPLOAD_TOKEN, header: headersSchema },
    requestBody: describeBody(binary, PART_TYPE),
    responses: {
      '204': {
        description: 'The part is stored. With its last byte the file is complete.',
        headers: uploadHeadersSchema,
      },
      ...describeProblems([
        'bad_request',
        'not_found',
        'conflict',
        'unsupported_encoding',
        'too_many_requests',
        'storage_full',
      ]),
    },
  },
  async handle({ ctx, request, segment }) {
    // 1. Parse.
    const token = await readToken(ctx, segment);
    assertPlain(request);
    const offset = readOffset(request);
    // 2. Receive.
    const reader = (request.body ?? new Blob([]).stream()).getReader();
    const arrival = await receivePart(ctx, token, {
      offset,
      body: iterateBody(request, reader),
      stop: () => void reader.cancel().catch(() => {}),
    });
    // 3. Respond.
    return new Response(null, { status: 204, headers: buildUploadHeaders(arrival) });
  },
});

function readOffset({ headers }: Request): number {
  if (headers.get('content-type') !== PART_TYPE) throw fieldError('Content-Type', `must be ${PART_TYPE}.`);
  const offset = headers.get('upload-offset') ?? '';
  if (/^\d{1,12}$/.test(offset)) return Number(offset);
  throw fieldError('Upload-Offset', 'must be the number of bytes before this part.');
}
