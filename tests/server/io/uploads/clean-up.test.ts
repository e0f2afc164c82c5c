import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../../server/base/context.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { removeStaleTempDirs } from '../../../../server/base/temp-dir.ts';
import { findHashes, findUpload, receiveUpload } from '../../../../server/io/uploads/index.ts';
import { deleteOrphans } from '../../../../server/jobs/index.ts';
import { deleteExpiredData } from '../../../../server/jobs/runner/create-scheduled-tasks.ts';
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
    keyId: null,
    hours: 24,
    declaredBytes: 0,
    body: ReadableStream.from([Buffer.from('bytes')]),
  });

async function objects(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of fixture.ctx.storage.list('inputs/', new Date(Date.now() + HOUR_MS))) keys.push(key);
  return keys;
}

test('only the object of an expired upload is deleted, and its hash stays for 25 hours', async () => {
  const { ctx, actor } = fixture;
  const [old, fresh] = [await receive(), await receive()];
  const elevenMinutesAgo = new Date(Date.now() - 11 * MINUTE_MS);
  await ctx.db
    .update(schema.uploads)
    .set({ expiresAt: elevenMinutesAgo })
    .where(eq(schema.uploads.token, old.token));
  await deleteExpiredData(ctx);
  expect(await objects()).toEqual([`inputs/uploads/${fresh.token}/input`]);
  await findUpload(ctx.db, { accountId: actor.accountId, token: fresh.token });
  const hashes = () => findHashes(ctx.db, actor, [old.token]);
  expect([...(await hashes()).values()]).toEqual([old.sha256]);
  await ctx.db
    .update(schema.uploads)
    .set({ expiresAt: new Date(Date.now() - 26 * HOUR_MS) })
    .where(eq(schema.uploads.token, old.token));
  await deleteExpiredData(ctx);
  expect((await hashes()).size).toBe(0);
});

test('an upload whose object cannot be deleted is deleted with the next ones', async () => {
  const { ctx } = fixture;
  await receive();
  await ctx.db.update(schema.uploads).set({ expiresAt: new Date(0) });
  const failing: Context = {
    ...ctx,
    storage: { ...ctx.storage, delete: () => Promise.reject(new Error('the disk is busy')) },
  };
  await deleteExpiredData(failing);
  expect(await objects()).toHaveLength(1);
  await deleteExpiredData(ctx);
  expect(await objects()).toEqual([]);
});

test('an upload that waits for longer than orphans do is none', async () => {
  await receive();
  expect(await deleteOrphans(fixture.ctx, new Date(Date.now() + 7 * HOUR_MS))).toBe(0);
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
    receiveUpload(fixture.ctx, { accountId: unknownId, keyId: null, hours: 24, declaredBytes: 0, body }),
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
