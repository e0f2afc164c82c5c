import { hashPassword } from 'better-auth/crypto';
import { and, eq } from 'drizzle-orm';
import { OperationError } from '../../models/operation/errors.ts';
import { type Executor, schema } from '../base/database/db.ts';
import { PASSWORD_LENGTH } from './create-auth.ts';

/**
 * Sets the password of an account's user, who is made if there is none, and signs all browsers out. For operators: the
 * address counts as verified.
 * @throws OperationError `bad_request` for a password that is too short or too long
 */
export async function setPassword(
  tx: Executor,
  { accountId, email, password }: { accountId: string; email: string; password: string },
): Promise<void> {
  assertPasswordLength(password);
  const { users, sessions } = schema;
  const address = email.trim().toLowerCase();
  const name = address.split('@')[0] ?? address;
  const [user] = await tx
    .insert(users)
    .values({ accountId, email: address, name, emailVerified: true })
    .onConflictDoUpdate({ target: users.email, set: { emailVerified: true } })
    .returning({ id: users.id });
  if (!user) throw new Error('the user was not returned');
  await replacePassword(tx, user.id, password);
  await tx.delete(sessions).where(eq(sessions.userId, user.id));
}

/** @throws OperationError `bad_request` for a password that is too short or too long */
export function assertPasswordLength(password: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length >= min && password.length <= max) return;
  throw new OperationError('bad_request', `password: must be ${min} to ${max} characters long.`);
}

/** Stores a person's password as its hash, in place of the former one. */
export async function replacePassword(tx: Executor, userId: string, password: string): Promise<void> {
  const { credentials } = schema;
  const hash = await hashPassword(password);
  const isOwn = and(eq(credentials.userId, userId), eq(credentials.providerId, 'credential'));
  await tx.delete(credentials).where(isOwn);
  await tx
    .insert(credentials)
    .values({ userId, accountId: userId, providerId: 'credential', password: hash });
}
