import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { UPLOAD_BYTES_MAX } from '../../io/uploads/index.ts';
import { resumableUploadSchema, startUploadSchema } from './account-schemas.ts';
import { describeProblems, describeResponse, describeSecurity } from './openapi-parts.ts';
import { TAGS } from './tags.ts';

const UPLOAD_TOKEN = {
  path: z.object({ token: z.string().meta({ description: 'Last segment of parts_url.' }) }),
};
const UPLOAD_HEADERS = z.object({
  'upload-offset': z.string().meta({ description: 'Bytes so far.' }),
  'upload-length': z.string().meta({ description: 'Bytes of the whole file.' }),
  'upload-expires': z
    .string()
    .meta({ description: 'When the upload is deleted unless it is used or continued.' }),
  'tus-resumable': z.literal('1.0.0'),
});
const NO_UPLOAD = { description: 'The upload is unknown, used, deleted or expired.' };

/** Paths of uploads in parts. */
export const UPLOAD_PATHS: ZodOpenApiPathsObject = {
  '/v2/uploads': {
    post: {
      operationId: 'startUpload',
      tags: [TAGS.uploads.name],
      summary: 'Room for a file that arrives in parts',
      description: `For a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB that a broken connection should not send again. Send its bytes to parts_url by PATCH, as the protocol tus 1.0.0 does; whoever has that URL needs no key.`,
      security: describeSecurity('either'),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: startUploadSchema } },
      },
      responses: {
        '201': describeResponse('There is room for the file.', resumableUploadSchema),
        ...describeProblems([
          'bad_request',
          'body_too_large',
          'unauthorized',
          'insufficient_balance',
          'too_many_requests',
        ]),
      },
    },
  },
  '/v2/uploads/{token}': {
    head: {
      operationId: 'getUploadOffset',
      tags: [TAGS.uploads.name],
      description: 'As the protocol tus 1.0.0 asks for it, to continue after a lost connection.',
      summary: 'Bytes of a file that have arrived',
      security: [],
      requestParams: UPLOAD_TOKEN,
      responses: {
        '200': { description: 'The state of the upload.', headers: UPLOAD_HEADERS },
        '404': NO_UPLOAD,
        ...describeProblems(['too_many_requests']),
      },
    },
    patch: {
      operationId: 'appendUploadPart',
      tags: [TAGS.uploads.name],
      summary: 'Next bytes of a file',
      description:
        'Appends the body at Upload-Offset. When the connection breaks, what has arrived is kept: ask for the offset by HEAD, and continue from there. A part that is still arriving ends when the next request comes.',
      security: [],
      requestParams: {
        ...UPLOAD_TOKEN,
        header: z.object({
          'upload-offset': z.string().meta({ description: 'Bytes of the file before this part.' }),
        }),
      },
      requestBody: {
        required: true,
        content: { 'application/offset+octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
      responses: {
        '204': {
          description: 'The part is stored. With its last byte the file is complete.',
          headers: UPLOAD_HEADERS,
        },
        ...describeProblems(['bad_request', 'not_found', 'conflict', 'too_many_requests']),
      },
    },
    delete: {
      operationId: 'deleteUpload',
      tags: [TAGS.uploads.name],
      description: 'Frees its room in the account at once.',
      summary: 'Delete an unused upload',
      security: [],
      requestParams: UPLOAD_TOKEN,
      responses: {
        '204': { description: 'It is deleted.' },
        ...describeProblems(['not_found', 'too_many_requests']),
      },
    },
  },
};
