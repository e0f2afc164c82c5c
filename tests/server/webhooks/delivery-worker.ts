// A queue worker of its own process, for a test to kill: `tsx delivery-worker.ts <database url> <data dir>`.
import { Logger, run } from 'graphile-worker';
import { openDb } from '../../../server/db.ts';
import { readEnv } from '../../../server/env.ts';
import { createLogger } from '../../../server/log.ts';
import type { Tasks } from '../../../server/queue.ts';
import { openStorage } from '../../../server/storage/index.ts';
import { deliverWebhook } from '../../../server/webhooks/index.ts';

const [url = '', dataDir = ''] = process.argv.slice(2);
const env = readEnv({ DATA_DIR: dataDir, FETCH_ALLOW_NETWORKS: '127.0.0.1/32' });
const ctx = { env, db: openDb(url), storage: await openStorage(env), log: createLogger('silent', 'test') };
await run({
  connectionString: url,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: {
    'deliver-webhook': (payload) => deliverWebhook(ctx, (payload as Tasks['deliver-webhook']).deliveryId),
  },
});
