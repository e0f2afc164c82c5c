import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startCdn, type TestCdn } from '../../support/service/cdn.ts';

describe.each(['disk', 's3'] as const)('a result on %s returns 410 when', (kind) => {
  let cdn: TestCdn;
  beforeAll(async () => {
    cdn = await startCdn(kind);
  });
  afterAll(() => cdn.stop());

  async function expectGone(url: string): Promise<void> {
    const response = await cdn.request(url);
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({
      error: 'Gone',
      message: expect.stringContaining('expired'),
    });
  }

  test('it has expired', async () => {
    const { url } = await cdn.publish(Buffer.from('x'), { expiresAt: new Date(Date.now() - 1000) });
    await expectGone(url);
  });

  test('its row is marked as deleted', async () => {
    const { key, url } = await cdn.publish(Buffer.from('x'));
    await cdn.ctx.db.update(schema.files).set({ deletedAt: new Date() }).where(eq(schema.files.key, key));
    await expectGone(url);
  });

  test('its object is missing', async () => {
    const { key, url } = await cdn.publish(Buffer.from('x'));
    await cdn.ctx.storage.delete(key);
    await expectGone(url);
  });
});
