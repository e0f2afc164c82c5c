import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../lab/support/service.ts';
import { createBreakers } from '../../../server/base/breakers.ts';
import { openDb } from '../../../server/base/database/db.ts';
import { startHeartbeats } from '../../../server/jobs/heartbeats.ts';
import { recordTaskRun } from '../../../server/jobs/scheduled-tasks.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const TOKEN = 'a-token-of-metrics';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ METRICS_TOKEN: TOKEN });
});
afterAll(() => api.close());

const scrape = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await api.call('GET', '/api/metrics', { headers })).body;
};

test('GET /metrics shows each live process, and what the whole service waits for', async () => {
  const breakers = createBreakers();
  for (let failures = 0; failures < 3; failures++) breakers.recordFailure('store');
  const lanes = [{ lane: 'long', slots: 2, running: 1 }];
  const describe = () => ({ lanes, childEnds: { stuck: 4 } });
  const end = await startHeartbeats(api.ctx, 'runner', { breakers, isolation: 'bubblewrap', describe });
  await recordTaskRun(api.ctx.db, 'backup', async () => {});
  const differs = () => Promise.reject(new Error('a balance differs'));
  await recordTaskRun(api.ctx.db, 'reconcile', differs).catch(() => {});
  await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
  const [text] = await Promise.all([scrape(), scrape()]);
  const runner = `part="runner",host="[^"]+",pid="${process.pid}"`;
  for (const line of [
    `darkroom_process_up{${runner}} 1`,
    `darkroom_disk_free_bytes{${runner}} \\d+`,
    `darkroom_disk_short{${runner}} 0`,
    `darkroom_database_pool_pending{${runner}} \\d+`,
    `darkroom_breaker_open{${runner},dependency="store"} 1`,
    '# TYPE darkroom_child_kills_total counter',
    `darkroom_child_kills_total{${runner},reason="stuck"} 4`,
    `darkroom_runner_slots{${runner},lane="long"} 2`,
    `darkroom_runner_running{${runner},lane="long"} 1`,
    `darkroom_isolation_info{${runner},level="bubblewrap"} 1`,
    `darkroom_secrets_keys_missing{${runner}} 0`,
    'darkroom_task_failed{task="reconcile"} 1',
    'darkroom_task_age_seconds{task="backup"} \\d',
    'darkroom_queue_entries{lane="interactive",state="waiting"} 1',
    'darkroom_lane_oldest_seconds{lane="interactive"} \\d',
    'darkroom_database_connections_max \\d+',
    'darkroom_database_up 1',
  ])
    expect(text).toMatch(new RegExp(`^${line}`, 'm'));
  await end();
  expect(await scrape()).not.toMatch(/^darkroom_process_up/m);
});

/** Scrapes a service whose database is at a port of this machine. */
async function scrapeWithDatabaseAt(port: number): Promise<string> {
  const db = openDb(`postgres://127.0.0.1:${port}/none`);
  const { db: own } = api.ctx;
  try {
    Object.assign(api.ctx, { db });
    return await scrape();
  } finally {
    Object.assign(api.ctx, { db: own });
    await db.$client.end({ timeout: 0 });
  }
}

test('GET /metrics shows the requests of the process, and an outage, while the database refuses connections', async () => {
  const text = await scrapeWithDatabaseAt(await findFreePort());
  expect(text).toMatch(/^darkroom_database_up 0$/m);
  expect(text).toMatch(/^darkroom_http_request_seconds_count/m);
  expect(text).not.toMatch(/^darkroom_process_up/m);
});

test('GET /metrics responds in time while the database is silent', { tags: ['long'] }, async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const startedAtMs = performance.now();
  const text = await scrapeWithDatabaseAt((silent.address() as AddressInfo).port);
  silent.close();
  expect(text).toMatch(/^darkroom_database_up 0$/m);
  expect(performance.now() - startedAtMs).toBeLessThan(10_000);
});

test('GET /metrics is 401 with another token, and GET /live is 200 whatever else is out', async () => {
  const headers = { authorization: 'Bearer another' };
  expect((await api.call('GET', '/api/metrics', { headers })).status).toBe(401);
  const broken = { ...api.ctx.db, $client: () => Promise.reject(new Error('gone')) };
  Object.assign(api.ctx, { db: Object.assign(Object.create(api.ctx.db), broken) });
  expect((await api.call('GET', '/api/live')).status).toBe(200);
});
