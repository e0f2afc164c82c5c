import { eq } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { SCRYPT } from '../../base/password-hasher.ts';
import { openAccount } from '../accounts/index.ts';
import { acceptInvitation, findInvitation, invalidInvitation } from '../team/index.ts';
import { grantWelcomeCredit } from './grant-welcome-credit.ts';
import { assertPasswordLength, replacePassword } from './set-password.ts';

interface SignUp {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** IP address of the request, for the log. */
  readonly address: string | null;
}

/**
 * Signs up the recipient of an invitation, as a member of its account and the owner of their own account. The
 * link proves the address, so that no other mail is needed. It never makes the first owner of the service.
 * @returns the address, to sign in with
 * @throws OperationError `not_found` for a link that does not work, `conflict` for an address that can sign in already,
 *   `bad_request` for a password that is too short or too long
 */
export async function signUpByInvitation(
  ctx: Pick<Context, 'db' | 'env' | 'log' | 'passwordHasher'>,
  { token, name, password, address }: SignUp,
): Promise<string> {
  assertPasswordLength(password);
  const person = await ctx.db.transaction(async (tx) => {
    const invitation = await findInvitation(tx, token);
    if (!invitation) throw invalidInvitation();
    const { email } = invitation;
    const { userId, accountId } = await addPerson(tx, email, name);
    await replacePassword(tx, userId, password, ctx.passwordHasher ?? SCRYPT);
    await acceptInvitation(tx, token, { userId, email, address });
    return { accountId, email };
  });
  await grantWelcomeCredit(ctx, person);
  return person.email;
}

/**
 * Adds a person whose address is proved. The password of an earlier sign-up whose link was never opened may be a
 * stranger's: it is replaced, and so is the name.
 */
async function addPerson(
  tx: Tx,
  email: string,
  name: string,
): Promise<{ userId: string; accountId: string }> {
  const { users } = schema;
  const [known] = await tx.select().from(users).where(eq(users.email, email)).for('update');
  if (known?.emailVerified) throw addressInUse();
  const { accountId } = known ?? (await openAccount(tx, email));
  const [person] = await tx
    .insert(users)
    .values({ accountId, email, name, emailVerified: true })
    .onConflictDoUpdate({
      target: users.email,
      set: { emailVerified: true, name },
      setWhere: eq(users.emailVerified, false),
    })
    .returning({ userId: users.id });
  if (!person) throw addressInUse();
  return { userId: person.userId, accountId };
}

function addressInUse(): OperationError {
  return new OperationError(
    'conflict',
    'This address can sign in already. Sign in to accept the invitation.',
  );
}
