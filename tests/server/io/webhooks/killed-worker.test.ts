// @module-tag long

import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { releaseAllEntries } from '../../../../server/base/queue/index.ts';
import { deliverWebhook, listDeliveries } from '../../../../server/io/webhooks/index.ts';
import { startDispatcher, takeEntries } from '../../../../server/jobs/runner/dispatcher.ts';
import { startHttpTarget } from '../../../support/servers/http-target.ts';
import { createWebhookSender } from '../../../support/service/webhook-sender.ts';

const WORKER = fileURLToPath(new URL('./delivery-worker.ts', import.meta.url));

test('a delivery whose worker is killed midway is sent again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'webhooks-'));
  const { ctx, database, accountId, enqueue } = await createWebhookSender(directory);
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

  // The sweep of dead runners does the same.
  await releaseAllEntries(ctx.db, ['killed']);
  const dispatcher = startDispatcher({
    db: ctx.db,
    log: ctx.log,
    lane: 'delivery',
    workerId: 'next',
    placesMax: 1,
    take: takeEntries({ db: ctx.db, workerId: 'next' }),
    work: ({ id }) => deliverWebhook(ctx, id),
    signal: new AbortController().signal,
  });
  await expect.poll(() => ctx.db.$count(schema.queueEntries)).toBe(0);
  await dispatcher.stop();

  const [delivery] = await listDeliveries(ctx.db, { accountId });
  expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ attempt: 1, responseStatus: 200 }] });
  expect(new Set(target.requests.map(({ request }) => request.headers['webhook-id'])).size).toBe(1);
  expect(target.requests).toHaveLength(2);
  await target.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});
