import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/service/database.ts';

test('the warnings of earlier jobs stay when their column becomes JSON', async () => {
  const { db, drop } = await createTestDatabase({ connectionsMax: 1 });
  const sql = db.$client;
  // Hides the table of the same name, which has the new column already.
  await sql`create temporary table jobs (id text primary key, warnings text[] not null default '{}')`;
  await sql`insert into jobs values ('one', array[${'Look "closely", {here}.'}, ${'And there.'}]), ('none', default)`;
  await sql.unsafe(await readFile('drizzle/migrations/0022_structured_warnings.sql', 'utf8'));
  await sql`insert into jobs values ('new', default)`;
  expect(await sql`select id, warnings from jobs order by id`).toEqual([
    { id: 'new', warnings: [] },
    { id: 'none', warnings: [] },
    { id: 'one', warnings: ['Look "closely", {here}.', 'And there.'] },
  ]);
  await drop();
});
