import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/service/database.ts';

test('a process of the version before records task runs under the former name of their table', async () => {
  const { db, drop } = await createTestDatabase({ connectionsMax: 1 });
  const sql = db.$client;
  for (const duration of [5, 7]) {
    await sql`
      insert into chore_runs (name, ended_at, duration_ms, fault) values ('purge', default, ${duration}, null)
      on conflict (name) do update set duration_ms = ${duration}, fault = null, ended_at = now()`;
  }
  const found =
    await sql`select name, duration_ms, ended_at > now() - interval '1 hour' as now from task_runs`;
  expect(found).toEqual([{ name: 'purge', duration_ms: 7, now: true }]);
  await drop();
});
