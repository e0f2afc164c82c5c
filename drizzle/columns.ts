import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const xid8 = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'xid8',
  fromDriver: BigInt,
});
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
/** Money in millionths of a US dollar. */
export const microUsd = (name: string) => bigint(name, { mode: 'bigint' });
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
export const createdAt = () => moment('created_at').notNull().default(sql`now()`);
export const updatedAt = () => moment('updated_at').notNull().default(sql`now()`);
