import { index, pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, moment } from './columns.ts';
import { users } from './users.ts';

/** Roles of an account's members. */
export const memberRole = pgEnum('member_role', ['owner', 'developer', 'billing', 'read_only']);

/**
 * People of each account, with their roles. A trigger, which stands in the migration, makes a person an owner of the
 * account that was opened for them.
 */
export const memberships = pgTable(
  'memberships',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: memberRole('role').notNull(),
    createdAt: createdAt(),
    /** When the person last chose this account: new sessions begin in the one that was chosen last. */
    chosenAt: moment('chosen_at'),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.userId] }), index('memberships_user').on(t.userId)],
);

/** Invitations that were neither accepted nor revoked. Each is deleted when its link is used. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** In lower case. */
    email: text('email').notNull(),
    role: memberRole('role').notNull(),
    /** Hash of the token that the link carries. */
    tokenSha256: bytea('token_sha256').notNull(),
    /** null once the person is gone. */
    invitedBy: uuid('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('invitations_account_email').on(t.accountId, t.email),
    uniqueIndex('invitations_token').on(t.tokenSha256),
    index('invitations_expiring').on(t.expiresAt),
  ],
);
