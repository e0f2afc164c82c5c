import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { eq } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import type { Context } from '../../base/context.ts';
import { type Db, schema } from '../../base/database/db.ts';
import { SCRYPT } from '../../base/password-hasher.ts';
import type { Role } from '../../base/permissions.ts';
import { describePrinted } from '../../base/redirect-output.ts';
import { getServiceSecret } from '../../base/secrets/index.ts';
import { sendMail } from '../../io/mail.ts';
import { openAccount, recordAuditEvent, renameAccount } from '../accounts/index.ts';
import { chooseLastAccount, findSessionAccount } from '../team/index.ts';
import { grantWelcomeCredit } from './grant-welcome-credit.ts';
import {
  addressChangeNoticeMail,
  changedAddressMail,
  existingAccountMail,
  passwordResetMail,
  unfinishedSignUpMail,
  verificationMail,
} from './mail-texts.ts';
import { listOwnOrigins, passkeyDomain } from './own-origins.ts';
import { CLIENT_ADDRESS, revokeOtherAccess } from './revoke-other-access.ts';
import { canSkipVerification, changeServiceOwnerAddress } from './service-owner.ts';

/** Person who is signed in. */
export interface Visitor {
  readonly userId: string;
  /** Account that the session shows: the person may belong to several. */
  readonly accountId: string;
  /** The person's role in that account. */
  readonly role: Role;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
}

export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

const SESSION_SECONDS = 30 * 86_400;

const DAY_SECONDS = 86_400;

/** Changes of an account need a sign-in of at most this age. */
const FRESH_SECONDS = 3_600;

/** Our tables by better-auth's names. */
const TABLES = {
  user: schema.users,
  session: schema.sessions,
  account: schema.credentials,
  verification: schema.verifications,
  passkey: schema.passkeys,
};

/** Said expressly: better-auth leaves them out where NODE_ENV is "test" or TEST is set. */
const ORIGIN_CHECKS = { disableOriginCheck: false, disableCSRFCheck: false } as const;

type AuthContext = Pick<Context, 'env' | 'db' | 'log' | 'passwordHasher'>;

export type Auth = Awaited<ReturnType<typeof createAuth>>;

const instances = new WeakMap<Db, Promise<Auth>>();

/** Returns the process's own better-auth, made on first use. */
export function getAuth(ctx: AuthContext): Promise<Auth> {
  const known = instances.get(ctx.db);
  if (known) return known;
  const made = createAuth(ctx);
  instances.set(ctx.db, made);
  made.catch(() => instances.delete(ctx.db));
  return made;
}

async function createAuth(ctx: AuthContext) {
  const { env, db, log } = ctx;
  const secret = (await getServiceSecret(db, 'sessions')).toString('base64');
  return betterAuth({
    appName: 'Darkroom',
    baseURL: env.PUBLIC_URL,
    basePath: '/api/auth',
    secret,
    telemetry: { enabled: false },
    trustedOrigins: listOwnOrigins(env),
    database: drizzleAdapter(db, { provider: 'pg', schema: TABLES, transaction: true }),
    // Our own token buckets, which all processes share, come before it.
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      log(_level, ...printed) {
        const { message, ...details } = describePrinted(printed);
        log.error({ part: 'better-auth', ...details }, message);
      },
    },
    // Otherwise its router prints errors to the console, with the values of SQL parameters.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: 'darkroom',
      ...ORIGIN_CHECKS,
      useSecureCookies: env.PUBLIC_URL.startsWith('https:'),
      database: { generateId: 'uuid' },
      // By default it stores no more of an IPv6 address than its /64.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS], ipv6Subnet: 128 },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: DAY_SECONDS, freshAge: FRESH_SECONDS },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: getPasswords(ctx),
    emailVerification: getVerification(ctx),
    user: {
      additionalFields: { accountId: { type: 'string', required: false, input: false, returned: true } },
      changeEmail: { enabled: true },
    },
    databaseHooks: userHooks(ctx),
    plugins: [passkey({ rpName: 'Darkroom', rpID: passkeyDomain(env), origin: listOwnOrigins(env) })],
  });
}

/** Requires proven addresses, and reveals which addresses have accounts by mail only. */
function getPasswords(ctx: AuthContext) {
  const { env, db } = ctx;
  const { credentials } = schema;
  return {
    enabled: true,
    password: ctx.passwordHasher ?? SCRYPT,
    minPasswordLength: PASSWORD_LENGTH.min,
    maxPasswordLength: PASSWORD_LENGTH.max,
    requireEmailVerification: true,
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: async ({ user: { email, emailVerified }, token }: MailToUser) =>
      sendMail(ctx, (emailVerified ? passwordResetMail : unfinishedSignUpMail)(env, email, token)),
    onExistingUserSignUp: async ({
      user: { id, email, emailVerified },
    }: {
      user: MailedUser;
    }): Promise<void> => {
      if (emailVerified) return sendMail(ctx, existingAccountMail(env, email));
      // The password of the sign-up before may be a stranger's, which its link must not bring to life any more.
      await db.delete(credentials).where(eq(credentials.userId, id));
      await (await getAuth(ctx)).api.requestPasswordReset({ body: { email } });
    },
    onPasswordReset: ({ user }: { user: MailedUser }, request?: Request) =>
      revokeOtherAccess(ctx, user.id, request?.headers),
  };
}

interface MailedUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

interface MailToUser {
  readonly user: MailedUser;
  readonly token: string;
}

/** Sends the link that proves an address, and welcomes the user who opens it. */
function getVerification(ctx: AuthContext) {
  const { env, db } = ctx;
  const { users } = schema;
  return {
    sendOnSignUp: true,
    sendVerificationEmail: async ({ user: { id, email, emailVerified }, token }: MailToUser) => {
      const [owner] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
      if (owner && owner.email !== email) {
        sendMail(ctx, changedAddressMail(env, email, token));
        sendMail(ctx, addressChangeNoticeMail(env, owner.email, email));
        return;
      }
      // The first owner's address is verified from the start.
      if (!emailVerified) sendMail(ctx, verificationMail(env, email, token));
    },
    afterEmailVerification: async ({ id }: { id: string }) => {
      const [user] = await db.select().from(users).where(eq(users.id, id));
      if (user) await grantWelcomeCredit(ctx, user);
    },
  };
}

interface NewUser {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly accountId?: unknown;
}

interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly ipAddress?: string | null | undefined;
}

/** Ties each user to an account, whose address follows the user's, and records sign-ins. */
function userHooks(ctx: AuthContext) {
  const { db, log } = ctx;
  return {
    session: {
      create: {
        before: async ({ ipAddress, ...session }: { ipAddress?: string | null | undefined }) => ({
          data: { ...session, ipAddress: ipAddress && shortAddress(ipAddress) },
        }),
        after: async ({ id, userId, ipAddress }: NewSession) => {
          const accountId = await chooseLastAccount(db, id);
          if (accountId === undefined) return;
          const event = { accountId, userId, action: 'sign-in', address: ipAddress };
          await recordAuditEvent(db, event).catch((err: unknown) =>
            log.error({ err }, 'sign-in not recorded'),
          );
        },
      },
    },
    user: {
      create: {
        before: async (user: { email: string; emailVerified: boolean }) => {
          const emailVerified = user.emailVerified || (await canSkipVerification(ctx, user.email));
          const { accountId } = await openAccount(db, user.email);
          return { data: { ...user, emailVerified, accountId } };
        },
        after: async ({ email, emailVerified, accountId }: NewUser) => {
          if (emailVerified && typeof accountId === 'string')
            await grantWelcomeCredit(ctx, { accountId, email });
        },
      },
      update: {
        after: async ({ id, email }: { id: string; email: string }) => {
          const [user] = await db.select().from(schema.users).where(eq(schema.users.id, id));
          if (!user) return;
          await changeServiceOwnerAddress(db, { accountId: user.accountId, email });
          await renameAccount(db, { accountId: user.accountId, email });
        },
      },
    },
  };
}

/** Returns an IP address as people write it: `::1`, not `0000:…:0001`. */
function shortAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** Returns who is signed in by a request's cookie; null without a session. */
export async function findVisitor(
  ctx: Pick<Context, 'env' | 'db' | 'log'>,
  headers: Headers,
): Promise<Visitor | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null;
  const auth = await getAuth(ctx);
  const found = await auth.api.getSession({ headers });
  if (!found) return null;
  const { user, session } = found;
  const shown = await findSessionAccount(ctx.db, session.id);
  if (!shown) return null;
  return { userId: user.id, sessionId: session.id, name: user.name, email: user.email, ...shown };
}
