// @module-tag long

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../server/base/database/db.ts';
import { startApi, type TestApi } from '../support/service/api.ts';
import { createTestDatabase } from '../support/service/database.ts';

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await startApi();
  folder = await mkdtemp(join(tmpdir(), 'darkroom-backup-'));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

async function backup(url: string | undefined, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'scripts/backup.ts', ...args],
    { env: { PATH: process.env.PATH, DATABASE_URL: url } },
  );
  return stdout;
}

it('npm run backup copies the database of a running service, and restores it into a new one only', async () => {
  const path = join(folder, 'first');
  const made = JSON.parse(await backup(api.ctx.env.DATABASE_URL, 'create', '--to', path));
  expect(made).toEqual({
    created_at: expect.any(String),
    tables: expect.any(Number),
    bytes: expect.any(Number),
  });
  await expect(backup(api.ctx.env.DATABASE_URL, 'restore', '--from', path)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Restore into a new one'),
  });
  const fresh = await createTestDatabase({ connectionsMax: 1 });
  try {
    await fresh.db.$client.end();
    expect(JSON.parse(await backup(fresh.url, 'restore', '--from', path))).toEqual(made);
  } finally {
    await fresh.drop();
  }
});

it.each([[[]], [['create']], [['restore', '--to', 'x']], [['delete', '--to', 'x']]])(
  'npm run backup %j tells how it is used',
  async (args) => {
    await expect(backup(api.ctx.env.DATABASE_URL, ...args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--to FOLDER'),
    });
    expect(await readdir(folder)).toEqual(['first']);
  },
);

it('npm run backup -- record notes a backup by another tool', async () => {
  await api.ctx.db.delete(schema.taskRuns);
  await backup(api.ctx.env.DATABASE_URL, 'record');
  expect(await api.ctx.db.query.taskRuns.findMany()).toEqual([
    expect.objectContaining({ name: 'backup', fault: null }),
  ]);
});
