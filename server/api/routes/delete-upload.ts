import { deleteUpload as removeUpload } from '../../io/uploads/index.ts';
import { describeProblems } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { readToken, TUS_HEADERS, UPLOAD_TOKEN } from '../transport/tus.ts';

/** Deletes an upload, for a client that has its parts_url. */
export const deleteUpload = defineRoute({
  method: 'DELETE',
  path: '/v2/uploads/{token}',
  bucket: 'uploads',
  docs: {
    operationId: 'deleteUpload',
    tag: 'uploads',
    summary: 'Delete an upload by its parts_url',
    description: 'Frees its room in the account at once. Jobs that were accepted with it keep its bytes.',
    requestParams: UPLOAD_TOKEN,
    responses: {
      '204': { description: 'It is deleted.' },
      ...describeProblems(['not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, segment }) {
    await removeUpload(ctx, await readToken(ctx, segment));
    return new Response(null, { status: 204, headers: TUS_HEADERS });
  },
});
