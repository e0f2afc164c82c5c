// Queue worker as a separate process, for a test to kill: `tsx delivery-worker.ts <database url> <data dir>`.
import { openDb } from '../../../../server/base/database/db.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { openStorage } from '../../../../server/io/storage/index.ts';
import { deliverWebhook } from '../../../../server/io/webhooks/index.ts';
import { startDispatcher, takeEntries } from '../../../../server/jobs/runner/dispatcher.ts';

const [url = '', dataDir = ''] = process.argv.slice(2);
const env = readEnv({ DATA_DIR: dataDir, FETCH_ALLOW_NETWORKS: '127.0.0.1/32' });
const ctx = { env, db: openDb(url), storage: await openStorage(env), log: createLogger('silent', 'test') };
startDispatcher({
  db: ctx.db,
  log: ctx.log,
  lane: 'delivery',
  workerId: 'killed',
  placesMax: 1,
  take: takeEntries({ db: ctx.db, workerId: 'killed' }),
  work: ({ id }) => deliverWebhook(ctx, id),
  signal: new AbortController().signal,
});
