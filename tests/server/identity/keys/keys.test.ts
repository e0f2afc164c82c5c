import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import {
  assertPermission,
  authenticateKey,
  issueKey,
  revokeKey,
} from '../../../../server/identity/keys/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ accountId } = await openAccount(database.db, 'keys@example.com'));
});
afterAll(() => database.drop());

const issue = (more: Partial<Parameters<typeof issueKey>[1]> = {}) =>
  issueKey(database.db, { accountId, name: 'test', ...more });

describe('an issued key', () => {
  test('shows its first 8 characters and is stored only as a digest', async () => {
    const { keyId, apiKey } = await issue();
    expect(apiKey).toMatch(/^mk_[0-9a-f]{8}[\w-]{43}$/);
    const [row] = await database.db.select().from(schema.apiKeys).where(eq(schema.apiKeys.id, keyId));
    expect(row?.prefix).toBe(apiKey.slice(0, 11));
    expect(JSON.stringify(row)).not.toContain(apiKey.slice(11));
  });

  test('authenticates, next to other keys of the same account', async () => {
    const one = await issue();
    const other = await issue();
    expect(await authenticateKey(database.db, one.apiKey)).toEqual({
      accountId,
      isTest: false,
      keyId: one.keyId,
      rateId: one.keyId,
      operations: null,
    });
    expect(await authenticateKey(database.db, other.apiKey)).toMatchObject({ keyId: other.keyId });
  });

  test.each([
    { field: 'name', key: { name: ' ' } },
    { field: 'operations', key: { operations: [] } },
    { field: 'operations', key: { operations: ['make-coffee'] } },
    { field: 'permissions', key: { permissions: ['coffee'] } },
    { field: 'expiresAt', key: { expiresAt: new Date(Date.now() - 1000) } },
    { field: 'monthlyCap', key: { monthlyCap: 0n } },
  ])('is rejected with a message that names $field', async ({ field, key }) => {
    await expect(issue(key)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(new RegExp(`^${field}: `)),
    });
  });
});

describe('authenticate', () => {
  test('rejects strings that are not keys', async () => {
    const { apiKey } = await issue();
    for (const wrong of ['', 'mk_', `${apiKey}x`, apiKey.slice(0, -1), apiKey.toUpperCase()]) {
      await expect(authenticateKey(database.db, wrong)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  test('rejects a revoked key at once, and accepts the others', async () => {
    const old = await issue();
    const fresh = await issue();
    await revokeKey(database.db, { accountId, keyId: old.keyId });
    await revokeKey(database.db, { accountId, keyId: old.keyId });
    await expect(authenticateKey(database.db, old.apiKey)).rejects.toMatchObject({ code: 'unauthorized' });
    await authenticateKey(database.db, fresh.apiKey);
  });

  test('rejects an expired key', async () => {
    const { keyId, apiKey } = await issue({ expiresAt: new Date(Date.now() + 3_600_000) });
    await authenticateKey(database.db, apiKey);
    const past = new Date(Date.now() - 1000);
    await database.db.update(schema.apiKeys).set({ expiresAt: past }).where(eq(schema.apiKeys.id, keyId));
    await expect(authenticateKey(database.db, apiKey)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('a key of another account', () => {
  test('cannot be revoked', async () => {
    const { keyId, apiKey } = await issue();
    const stranger = await openAccount(database.db, 'stranger@example.com');
    await expect(revokeKey(database.db, { accountId: stranger.accountId, keyId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(revokeKey(database.db, { accountId, keyId: randomUUID() })).rejects.toMatchObject({
      code: 'not_found',
    });
    await authenticateKey(database.db, apiKey);
  });
});

describe('authorise', () => {
  test('allows a key its own operations only', async () => {
    const { apiKey } = await issue({ operations: ['media-convert-image'] });
    const actor = await authenticateKey(database.db, apiKey);
    expect(() => assertPermission(actor, 'media-convert-image')).not.toThrow();
    expect(() => assertPermission({ ...actor, operations: [] }, 'media-convert-image')).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('media-convert-image') }),
    );
    expect(() => assertPermission({ ...actor, operations: null }, 'media-convert-image')).not.toThrow();
  });
});
