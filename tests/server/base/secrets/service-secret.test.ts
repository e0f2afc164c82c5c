import { afterAll, beforeAll, expect, test } from 'vitest';
import { getServiceSecret } from '../../../../server/base/secrets/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a secret of the service has 32 bytes, and is the same for concurrent first requests', async () => {
  const all = await Promise.all(
    Array.from({ length: 20 }, () => getServiceSecret(database.db, 'result-urls')),
  );
  expect(new Set(all.map((secret) => secret.toString('hex'))).size).toBe(1);
  expect(all[0]).toHaveLength(32);
  expect(await getServiceSecret(database.db, 'result-urls')).toEqual(all[0]);
});

test('secrets with different names differ', async () => {
  const [one, other] = [
    await getServiceSecret(database.db, 'sessions'),
    await getServiceSecret(database.db, 'fetch-tokens'),
  ];
  expect(one.equals(other)).toBe(false);
});
