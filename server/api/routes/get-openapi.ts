import { createHash } from 'node:crypto';
import { z } from 'zod';
import { buildOnce } from '../../../models/core/build-once.ts';
import { getOperations, type Operations } from '../../base/context.ts';
import type { Env } from '../../base/env.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { type Api, defineRoute } from '../route.ts';
import { matchesEtag } from '../send-file.ts';

const documentSchema = z.looseObject({
  openapi: z.string().meta({ description: 'Version of OpenAPI.', example: '3.1.0' }),
});

/** The OpenAPI document: 200, or 304 to a client that has it. */
export const getOpenApi = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  docs: {
    operationId: 'getOpenApi',
    tag: 'service',
    summary: 'This document',
    description: 'OpenAPI 3.1 of all routes for programs.',
    responses: {
      '200': describeResponse('OpenAPI 3.1.', documentSchema),
      ...describeProblems(['too_many_requests']),
    },
  },
  async handle({ ctx, request, api }) {
    const { text, etag } = buildDocument(api)(getOperations(ctx))(ctx.env);
    const headers = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', etag };
    if (matchesEtag(request.headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(text, {
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    });
  },
});

// Made once: it takes longer than any other response, and anyone may ask for it.
const buildDocument = buildOnce((api: Api) =>
  buildOnce((operations: Operations) =>
    buildOnce((env: Env) => {
      const options = { gplEncoders: env.GPL_ENCODERS };
      const text = JSON.stringify(api.describe(env.PUBLIC_URL, operations, options));
      return { text, etag: `"${createHash('sha256').update(text).digest('hex')}"` };
    }),
  ),
);
