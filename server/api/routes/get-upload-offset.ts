import { findResumableUpload } from '../../io/uploads/index.ts';
import { describeProblems } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { buildUploadHeaders, readToken, UPLOAD_TOKEN, uploadHeadersSchema } from '../transport/tus.ts';

/** Route that reports how many bytes of an upload have arrived. */
export const getUploadOffset = defineRoute({
  method: 'HEAD',
  path: '/v2/uploads/{token}',
  bucket: 'uploads',
  docs: {
    operationId: 'getUploadOffset',
    tag: 'uploads',
    summary: 'Bytes of a file that have arrived',
    description: 'As the protocol tus 1.0.0 asks for it, to continue after a lost connection.',
    requestParams: UPLOAD_TOKEN,
    responses: {
      '200': { description: 'The state of the upload.', headers: uploadHeadersSchema },
      '404': { description: 'The upload is unknown, deleted or expired.' },
      ...describeProblems(['too_many_requests']),
    },
  },
  async handle({ ctx, segment }) {
    const upload = await findResumableUpload(ctx, await readToken(ctx, segment));
    return new Response(null, { status: 200, headers: buildUploadHeaders(upload) });
  },
});
