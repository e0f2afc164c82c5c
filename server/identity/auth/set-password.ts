import { and, eq, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { type PasswordHasher, SCRYPT } from '../../base/password-hasher.ts';
import { recordAuditEvent } from '../accounts/index.ts';
import { PASSWORD_LENGTH } from './create-auth.ts';
import { endAccess } from './revoke-other-access.ts';

/**
 * Sets the password of an account's user, who is made if there is none. For operators: the address counts as verified.
 * Sessions, passkeys and links of a user who was there before end, which the account's log then says.
 * @throws OperationError `bad_request` for a password that is too short or too long
 */
export async function setPassword(
  tx: Executor,
  { accountId, email, password }: { accountId: string; email: string; password: string },
  hasher: PasswordHasher = SCRYPT,
): Promise<void> {
  assertPasswordLength(password);
  const { users } = schema;
  const address = email.trim().toLowerCase();
  const name = address.split('@')[0] ?? address;
  const [user] = await tx
    .insert(users)
    .values({ accountId, email: address, name, emailVerified: true })
    .onConflictDoUpdate({ target: users.email, set: { emailVerified: true } })
    // A row of this very statement was not locked. Who signs in by passkeys alone has no password, but was there.
    .returning({ id: users.id, isNew: sql<boolean>`xmax = 0` });
  if (!user) throw new Error('the user was not returned');
  await replacePassword(tx, user.id, password, hasher);
  if (user.isNew) return;
  await endAccess(tx, user.id);
  await recordAuditEvent(tx, { accountId, userId: null, action: 'password.set', subject: address });
}

/** @throws OperationError `bad_request` for a password that is too short or too long */
export function assertPasswordLength(password: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length >= min && password.length <= max) return;
  throw new OperationError('bad_request', `password: must be ${min} to ${max} characters long.`);
}

/** Stores a person's password as its hash, in place of the former one, if there is one. */
export async function replacePassword(
  tx: Executor,
  userId: string,
  password: string,
  hasher: PasswordHasher,
): Promise<void> {
  const { credentials } = schema;
  const hash = await hasher.hash(password);
  const isOwn = and(eq(credentials.userId, userId), eq(credentials.providerId, 'credential'));
  await tx.delete(credentials).where(isOwn);
  await tx
    .insert(credentials)
    .values({ userId, accountId: userId, providerId: 'credential', password: hash });
}
