import { z } from 'zod';
import { formatUsd, parseUsd } from '../../../models/core/operation/money.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import {
  deleteToken as endToken,
  createToken as issueToken,
  TOKEN_SECONDS,
} from '../../identity/keys/index.ts';
import { describeBody, describeProblems, describeResponse, JSON_FAULTS } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';

const BODY_BYTES_MAX = 10_000;
const { min, max } = TOKEN_SECONDS;

const usd = z
  .string()
  .refine(isAmount, 'must be an amount in US dollars above 0, such as "0.50"')
  .meta({ description: 'Limit of all that the token spends, in US dollars.', example: '0.50' });

const tokenRequestSchema = z.strictObject({
  max_usd: usd,
  expires_in_seconds: z
    .int()
    .min(min)
    .max(max)
    .meta({ description: `Lifetime, ${min} to ${max} seconds.` }),
  operations: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Models that it may run, of those of the key. All of them without.' }),
});

const tokenSchema = z
  .object({
    token: z.string().meta({ description: 'In place of a key, in either header. It is shown once.' }),
    token_id: z.string().meta({ description: 'Names the token in DELETE /api/v2/tokens/{token_id}.' }),
    operations: z.array(z.string()).nullable().meta({ description: 'null: every operation.' }),
    max_usd: z.string().meta({ description: 'Limit of all that it spends, in US dollars.' }),
    expires_at: z.iso.datetime({ precision: 3 }).meta({ description: 'Time at which it ends.' }),
  })
  .meta({ id: 'Token' });

function isAmount(text: string): boolean {
  try {
    return parseUsd(text) > 0n;
  } catch {
    return false;
  }
}

/** Makes a token of the key, for a page or an app that must not have the key itself. */
export const createToken = defineRoute({
  method: 'POST',
  path: '/v2/tokens',
  permission: 'keys.change',
  docs: {
    operationId: 'createToken',
    tag: 'account',
    summary: 'A short-lived token for a page or an app',
    description:
      'A token sends files and requests in place of the key, and sees and cancels its own alone. It counts for the rate limit and the caps of the key, and ends with it. It makes no tokens, names no webhooks and no self-hosted workers, and does not open MCP. Of a test key it is a test.',
    requestBody: describeBody(tokenRequestSchema),
    responses: {
      '201': describeResponse('The token.', tokenSchema),
      ...describeProblems(JSON_FAULTS),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Parse.
    const body = parseJsonObject(await readBody(request, BODY_BYTES_MAX));
    annotateBody(request, body);
    const { max_usd, expires_in_seconds, operations } = parseParams(tokenRequestSchema, body);
    // 2. Create.
    const limit = parseUsd(max_usd);
    const created = await issueToken(ctx.db, actor, { max: limit, seconds: expires_in_seconds, operations });
    // 3. Respond.
    return jsonResponse(201, {
      token: created.token,
      token_id: created.tokenId,
      operations: created.operations,
      max_usd: formatUsd(limit),
      expires_at: created.expiresAt.toISOString(),
    });
  },
});

/** Ends a token at once. */
export const deleteToken = defineRoute({
  method: 'DELETE',
  path: '/v2/tokens/{token_id}',
  permission: 'keys.change',
  docs: {
    operationId: 'deleteToken',
    tag: 'account',
    summary: 'End a token',
    description: 'Requests that it has sent continue.',
    requestParams: {
      path: z.object({ token_id: z.string().meta({ description: 'As the 201 of the token has it.' }) }),
    },
    responses: {
      '204': { description: 'It has ended.' },
      ...describeProblems(['unauthorized', 'forbidden', 'not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor, segment }) {
    await endToken(ctx.db, actor, segment);
    return new Response(null, { status: 204 });
  },
});
