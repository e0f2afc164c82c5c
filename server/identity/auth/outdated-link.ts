import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';

/** Payload of better-auth's link to a changed address. Its signature is better-auth's to check. */
const payloadSchema = z.object({ email: z.string(), updateTo: z.string(), iat: z.number() });

/**
 * Reports whether a link changes an address, and was made before the last change of the password: its maker may
 * have known the former password only.
 * @param token of the link; one of another kind, or that cannot be read, is left to better-auth
 * @throws OperationError `bad_request` when it holds text that the database cannot
 */
export async function isOutdatedLink({ db }: Pick<Context, 'db'>, token: string): Promise<boolean> {
  const payload = readPayload(token);
  if (!payload) return false;
  const { users, credentials } = schema;
  const [credential] = await db
    .select({ changedAt: credentials.updatedAt })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .where(and(eq(users.email, payload.email), eq(credentials.providerId, 'credential')));
  return credential !== undefined && payload.iat * 1000 < credential.changedAt.getTime();
}

function readPayload(token: string): z.output<typeof payloadSchema> | undefined {
  const [, encoded = ''] = token.split('.');
  const payload = parseJson(Buffer.from(encoded, 'base64url').toString());
  assertStorable(payload);
  return payloadSchema.safeParse(payload).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
