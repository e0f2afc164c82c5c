import { createHash } from 'node:crypto';
import type { Env } from '../../base/env.ts';
import { type Context, getOperations, type Operations } from '../../base/context/context.ts';
import { matchesEtag } from '../results/matches-etag.ts';
import { openApiDocument } from './openapi-document.ts';

interface SentDocument {
  readonly text: string;
  readonly etag: string;
}

// Made once: it takes longer than any other response, and anyone may ask for it.
const documents = new WeakMap<Operations, WeakMap<Env, SentDocument>>();

/** Handles GET /openapi.json: 200, or 304 to a client that has it. */
export function sendOpenApi(ctx: Context, { headers: asked }: Request): Response {
  const { text, etag } = documentOf(getOperations(ctx), ctx.env);
  const headers = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', etag };
  if (matchesEtag(asked.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  return new Response(text, {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  });
}

function documentOf(operations: Operations, env: Env): SentDocument {
  const made = documents.get(operations) ?? new WeakMap<Env, SentDocument>();
  documents.set(operations, made);
  const known = made.get(env) ?? build(operations, env);
  made.set(env, known);
  return known;
}

function build(operations: Operations, { PUBLIC_URL, GPL_ENCODERS: gplEncoders }: Env): SentDocument {
  const text = JSON.stringify(openApiDocument(PUBLIC_URL, operations, { gplEncoders }));
  return { text, etag: `"${createHash('sha256').update(text).digest('hex')}"` };
}
