import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../../server/base/context/context.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { removeStaleTempDirs } from '../../../../server/base/temp-dir.ts';
import { findUpload, receiveUpload } from '../../../../server/io/uploads/index.ts';
import { deleteOrphans } from '../../../../server/jobs/index.ts';
import { deleteExpiredData } from '../../../../server/jobs/runner/schedule/scheduled-tasks.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let fixture: JobFixture;
beforeEach(async () => {
  fixture = await createJobFixture();
});
afterEach(() => fixture.close());

const receive = (ctx: Context = fixture.ctx) =>
  receiveUpload(ctx, {
    accountId: fixture.actor.accountId,
    declaredBytes: 0,
    body: ReadableStream.from([Buffer.from('bytes')]),
  });

async function objects(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of fixture.ctx.storage.list('inputs/', new Date(Date.now() + HOUR_MS))) keys.push(key);
  return keys;
}

test('only an expired unused upload and its object are deleted', async () => {
  const { ctx, actor } = fixture;
  const [old, fresh] = [await receive(), await receive()];
  const elevenMinutesAgo = new Date(Date.now() - 11 * MINUTE_MS);
  await ctx.db
    .update(schema.uploads)
    .set({ expiresAt: elevenMinutesAgo })
    .where(eq(schema.uploads.token, old.token));
  await deleteExpiredData(ctx);
  expect(await objects()).toEqual([`inputs/uploads/${fresh.token}/input`]);
  expect(await ctx.db.$count(schema.uploads)).toBe(1);
  await findUpload(ctx.db, { accountId: actor.accountId, token: fresh.token });
});

test('an upload whose object cannot be deleted becomes an orphan that is deleted later', async () => {
  const { ctx } = fixture;
  await receive();
  await ctx.db.update(schema.uploads).set({ expiresAt: new Date(0) });
  const failing: Context = {
    ...ctx,
    storage: { ...ctx.storage, delete: () => Promise.reject(new Error('the disk is busy')) },
  };
  await deleteExpiredData(failing);
  expect(await objects()).toHaveLength(1);
  expect(await deleteOrphans(ctx, new Date(Date.now() + 7 * HOUR_MS))).toBe(1);
  expect(await objects()).toEqual([]);
});

test('an object stored without a row, as after a kill, is an orphan that is deleted later', async () => {
  const { ctx } = fixture;
  const dying: Context = {
    ...ctx,
    storage: {
      ...ctx.storage,
      async putFile(key, path, mediaType) {
        await ctx.storage.putFile(key, path, mediaType);
        throw new Error('killed');
      },
    },
  };
  await expect(receive(dying)).rejects.toThrow('killed');
  expect(await objects()).toHaveLength(1);
  expect(await ctx.db.$count(schema.uploads)).toBe(0);
  await deleteExpiredData(ctx);
  expect(await objects()).toHaveLength(1);
  expect(await deleteOrphans(ctx, new Date(Date.now() + 7 * HOUR_MS))).toBe(1);
  expect(await objects()).toEqual([]);
});

test('the object of an upload whose row is rejected is deleted at once', async () => {
  const unknownId = '00000000-0000-4000-8000-000000000000';
  const body = ReadableStream.from([Buffer.from('bytes')]);
  await expect(
    receiveUpload(fixture.ctx, { accountId: unknownId, declaredBytes: 0, body }),
  ).rejects.toThrow();
  expect(await objects()).toEqual([]);
});

test('files of a killed web process are deleted once no request can be that old', async () => {
  const { env } = fixture.ctx;
  const incoming = join(env.DATA_DIR, 'incoming');
  for (const name of ['old', 'new']) {
    await mkdir(join(incoming, name), { recursive: true });
    await writeFile(join(incoming, name, 'upload'), 'half');
  }
  const longAgo = new Date(Date.now() - 2 * HOUR_MS);
  await utimes(join(incoming, 'old'), longAgo, longAgo);
  await removeStaleTempDirs(env);
  expect(await readdir(incoming)).toEqual(['new']);
});
