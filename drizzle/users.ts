import { bigint, boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { createdAt, moment, updatedAt } from './columns.ts';

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** People who sign in. Column names are better-auth's. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Account that was opened for the person, who owns it. Its address follows the person's. */
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name').notNull(),
    /** In lower case. */
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('users_email').on(t.email), index('users_account').on(t.accountId)],
);

/** Browsers that are signed in. The cookie holds the token and its signature: the token alone opens nothing. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    token: text('token').notNull(),
    expiresAt: moment('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Account that the browser shows; null: the person's own. */
    accountId: uuid('account_id').references(() => accounts.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('sessions_token').on(t.token), index('sessions_user').on(t.userId)],
);

/** Passwords, hashed by scrypt. better-auth calls a way of signing in an account, and has columns for other ways. */
export const credentials = pgTable(
  'credentials',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    accountId: text('provider_account_id').notNull(),
    providerId: text('provider_id').notNull(),
    /** `salt:hash` */
    password: text('password'),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('credentials_user').on(t.userId)],
);

/** One-time values, such as those of links by e-mail. */
export const verifications = pgTable(
  'verifications',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('verifications_identifier').on(t.identifier)],
);

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    name: text('name'),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialID), index('passkeys_user').on(t.userId)],
);

/** Actions of an account's people: sign-ins, and changes through the dashboard. Rows are only appended. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** null once the person is gone. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** `sign-in`, or the dashboard's call: `keys.create`. */
    action: text('action').notNull(),
    /** Object of the action: an id, a name, an amount. Never a secret. */
    subject: text('subject'),
    address: text('address'),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_events_account').on(t.accountId, t.id.desc()),
    index('audit_events_user').on(t.accountId, t.userId, t.id.desc()),
    index('audit_events_created').on(t.createdAt),
  ],
);
