import { z } from 'zod';
import { parseParams } from '../../../models/core/operation/params.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import { isPermitted } from '../../base/permissions.ts';
import { listUploads as listStored, removeUpload as removeStored } from '../../io/uploads/index.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { nextCursor, pageFields } from '../transport/query-fields.ts';
import { parseQuery } from '../transport/read-request.ts';
import { describeUpload, listedUploadSchema, ownUploads, UPLOAD_ID } from '../upload-view.ts';

const listQuerySchema = z.strictObject(pageFields('Uploads'));

const uploadListSchema = z
  .object({
    uploads: z.array(listedUploadSchema).meta({ description: 'Newest first.' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'UploadList' });

/** A page of the account's uploads, newest first. */
export const listUploads = defineRoute({
  method: 'GET',
  path: '/uploads',
  permission: 'jobs.see',
  isForTokens: true,
  docs: {
    operationId: 'listUploads',
    tag: 'uploads',
    summary: 'Uploads of the account',
    description:
      'Newest first, in pages, until they expire; unfinished ones are among them. Members who may only look get no parts_url. A key with operations or a cap sees those that it, or a key that it has replaced, has sent.',
    requestParams: { query: listQuerySchema },
    responses: {
      '200': describeResponse('A page of uploads.', uploadListSchema),
      ...describeProblems(['bad_request', 'unauthorized', 'too_many_requests']),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Parse.
    const { limit, cursor } = parseParams(listQuerySchema, parseQuery(request));
    // 2. List.
    const after = timeCursor.unpack(cursor);
    const { uploads, next } = await listStored(ctx.db, { ...ownUploads(actor), limit, after });
    // 3. Respond.
    const views = await Promise.all(uploads.map((upload) => describeUpload(ctx, upload)));
    // A parts_url alone is enough to change its upload.
    const mayChange = !actor.role || isPermitted(actor.role, 'jobs.change');
    const shown = mayChange ? views : views.map(({ parts_url: _, ...view }) => view);
    return jsonResponse(200, { uploads: shown, next_cursor: next && timeCursor.pack(next) });
  },
});

/** Deletes an upload of the account. */
export const removeUpload = defineRoute({
  method: 'DELETE',
  path: '/uploads/{upload_id}',
  permission: 'jobs.change',
  isForTokens: true,
  docs: {
    operationId: 'removeUpload',
    tag: 'uploads',
    summary: 'Delete an upload',
    description: 'Later requests cannot use it any more. Jobs that were accepted with it keep its bytes.',
    requestParams: UPLOAD_ID,
    responses: {
      '204': { description: 'It is deleted.' },
      ...describeProblems(['unauthorized', 'not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor, segment }) {
    await removeStored(ctx, { ...ownUploads(actor), token: segment });
    return new Response(null, { status: 204 });
  },
});
