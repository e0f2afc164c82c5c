import { pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, createdAt } from './columns.ts';

/** Keys that sign receipts. The newest signs; the public halves of all of them stay published. */
export const receiptKeys = pgTable('receipt_keys', {
  /** Thumbprint of the public key: `kid` of what it signs. */
  kid: text('kid').primaryKey(),
  /** Seed of the Ed25519 key pair, 32 bytes. */
  secret: bytea('secret').notNull(),
  createdAt: createdAt(),
});

/** Secrets the service makes for itself on first use, such as the one that signs result URLs. */
export const serviceSecrets = pgTable('service_secrets', {
  name: text('name').primaryKey(),
  secret: bytea('secret').notNull(),
  createdAt: createdAt(),
});
