import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { Logger, runOnce } from 'graphile-worker';
import { expect, test } from 'vitest';
import type { Tasks } from '../../../server/queue.ts';
import { deliverWebhook, listDeliveries } from '../../../server/webhooks/index.ts';
import { startHttpTarget } from '../../support/http-target.ts';
import { createSender } from '../../support/webhooks.ts';

const WORKER = fileURLToPath(new URL('./delivery-worker.ts', import.meta.url));

test('a delivery whose worker is killed in the middle is made again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'webhooks-'));
  const { ctx, database, accountId, enqueue } = await createSender(directory);
  const inTheMiddle = new EventEmitter();
  const arrived = once(inTheMiddle, 'arrived');
  const target = await startHttpTarget((_request, response) => {
    if (target.requests.length === 1) inTheMiddle.emit('arrived');
    else response.end();
  });
  await enqueue(target.origin);

  const worker = spawn(process.execPath, ['--import', 'tsx', WORKER, database.url, directory], {
    stdio: 'inherit',
  });
  const exited = once(worker, 'exit');
  await arrived;
  worker.kill('SIGKILL');
  await exited;

  // What the sweep of dead runners does.
  await ctx.db.execute(sql`select graphile_worker.force_unlock_workers(
    array(select locked_by from graphile_worker.jobs where locked_by is not null))`);
  await runOnce({
    connectionString: database.url,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      'deliver-webhook': (payload) => deliverWebhook(ctx, (payload as Tasks['deliver-webhook']).deliveryId),
    },
  });

  const [delivery] = await listDeliveries(ctx.db, { accountId });
  expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ attempt: 1, responseStatus: 200 }] });
  expect(new Set(target.requests.map(({ request }) => request.headers['webhook-id'])).size).toBe(1);
  expect(target.requests).toHaveLength(2);
  await target.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});
