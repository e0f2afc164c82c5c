import { isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { listActiveSecrets } from '../../../../server/io/webhooks/index.ts';
import { readBalance } from '../../../../server/money/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ connectionsMax: 20 });
});
afterAll(() => database.drop());

describe('an account', () => {
  test('is opened once per e-mail address, in any case, even by concurrent requests', async () => {
    const addresses = ['a@example.com', 'A@Example.com', ' a@example.com '];
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, i) => openAccount(database.db, addresses[i % 3] ?? '')),
    );
    expect(new Set(all.map((one) => one.accountId)).size).toBe(1);
    expect(all.filter((one) => one.created)).toHaveLength(1);
  });

  test('has an empty wallet and a webhook secret of 32 bytes', async () => {
    const { accountId } = await openAccount(database.db, 'new@example.com');
    expect(await readBalance(database.db, accountId)).toEqual({ balance: 0n, held: 0n, available: 0n });
    const [secret, ...others] = await listActiveSecrets(database.db, accountId);
    expect(others).toEqual([]);
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret?.slice('whsec_'.length) ?? '', 'base64')).toHaveLength(32);
  });

  test('needs an e-mail address', async () => {
    for (const wrong of ['', 'a', 'a@', '@example.com', `${'a'.repeat(250)}@example.com`]) {
      await expect(openAccount(database.db, wrong)).rejects.toMatchObject({ code: 'bad_request' });
    }
  });
});

test('during the replacement of a webhook secret both are valid, the newest first', async () => {
  const { accountId } = await openAccount(database.db, 'rotating@example.com');
  const [old = ''] = await listActiveSecrets(database.db, accountId);
  const inAnHour = new Date(Date.now() + 3_600_000);
  await database.db.update(schema.webhookSecrets).set({ expiresAt: inAnHour });
  await database.db.insert(schema.webhookSecrets).values({ accountId, secret: 'whsec_new' });
  expect(await listActiveSecrets(database.db, accountId)).toEqual(['whsec_new', old]);
  await database.db
    .update(schema.webhookSecrets)
    .set({ expiresAt: new Date(0) })
    .where(isNotNull(schema.webhookSecrets.expiresAt));
  expect(await listActiveSecrets(database.db, accountId)).toEqual(['whsec_new']);
});
