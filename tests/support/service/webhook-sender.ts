import type { Context } from '../../../server/base/context.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { openStorage } from '../../../server/io/storage/index.ts';
import { enqueueDelivery } from '../../../server/io/webhooks/index.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export const DELIVERY_BODY = '{"request_id":"media-convert-image_1","status":"COMPLETED","note":"ä"}';

export interface TestWebhookSender {
  readonly ctx: Context;
  readonly accountId: string;
  readonly database: TestDatabase;
  /**
   * Queues one delivery to the URL.
   * @returns its id
   */
  enqueue(url: string): Promise<string>;
}

/** Creates an account whose deliveries may reach this machine, on its own database. */
export async function createWebhookSender(dataDir: string): Promise<TestWebhookSender> {
  const database = await createTestDatabase();
  const env = readEnv({ DATA_DIR: dataDir, FETCH_ALLOW_NETWORKS: '127.0.0.1/32', LOG_LEVEL: 'silent' });
  const ctx: Context = {
    env,
    db: database.db,
    storage: await openStorage(env),
    log: createLogger(env.LOG_LEVEL, 'test'),
  };
  const { accountId } = await openAccount(ctx.db, 'owner@example.com');
  return {
    ctx,
    accountId,
    database,
    async enqueue(url) {
      const delivery = { accountId, reference: 'media-convert-image_1', url, body: DELIVERY_BODY };
      await ctx.db.transaction((tx) => enqueueDelivery(tx, delivery));
      const [queued] = await ctx.db.query.deliveries.findMany({
        orderBy: (table, { desc }) => desc(table.createdAt),
        limit: 1,
      });
      return queued?.id ?? '';
    },
  };
}
