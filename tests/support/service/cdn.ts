import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveResult } from '../../../server/api/results-listener.ts';
import type { Context } from '../../../server/base/context.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openStorage, resultUrl, resultUrlConfig } from '../../../server/io/storage/index.ts';
import { startS3 } from '../servers/s3.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { createTestDatabase } from './database.ts';

export interface TestCdn {
  readonly ctx: Context;
  /**
   * Stores a result of a completed job.
   * @returns its URL
   */
  publish(
    content: Buffer,
    options?: { name?: string; expiresAt?: Date },
  ): Promise<{ key: string; url: string }>;
  request(url: string, options?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts `/cdn` in this process, over a store of the given kind. */
export async function startCdn(kind: 'disk' | 's3' = 'disk'): Promise<TestCdn> {
  const directory = await mkdtemp(join(tmpdir(), 'cdn-'));
  const database = await createTestDatabase();
  const s3 = kind === 's3' ? await startS3() : null;
  const env = readEnv({ DATA_DIR: directory, LOG_LEVEL: 'silent', ...s3?.environment });
  const storage = await openStorage(env);
  const ctx: Context = { env, db: database.db, storage, log: createLogger(env.LOG_LEVEL, 'test') };
  const jobId = await insertJob(ctx);
  const config = await resultUrlConfig(ctx);
  let position = 0;
  return {
    ctx,
    async publish(content, { name = 'photo.png', expiresAt = new Date(Date.now() + 3_600_000) } = {}) {
      const key = `outputs/${jobId}/${randomBytes(16).toString('base64url')}/${name}`;
      const path = join(directory, 'produced');
      await writeFile(path, content);
      await storage.putFile(key, path, 'image/png');
      await ctx.db.insert(schema.files).values({
        key,
        jobId,
        role: 'output',
        position: position++,
        name,
        mediaType: 'image/png',
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest(),
        expiresAt,
      });
      return { key, url: resultUrl(config, { key, expiresAt }) };
    },
    request: (url, options) => serveResult(ctx, new Request(url, options)),
    async stop() {
      await database.drop();
      await s3?.stop();
      await removeFolder(directory);
    },
  };
}

/** Returns a context whose storage records the streams that are opened to read results. */
export function recordReads(ctx: Context): { readonly ctx: Context; readonly opened: ReadStream[] } {
  const opened: ReadStream[] = [];
  const storage: typeof ctx.storage = {
    ...ctx.storage,
    async get(key, range) {
      const object = await ctx.storage.get(key, range);
      opened.push(object.stream as ReadStream);
      return object;
    },
  };
  return { ctx: { ...ctx, storage }, opened };
}

async function insertJob({ db }: Context): Promise<string> {
  const [account] = await db.insert(schema.accounts).values({ email: 'a@example.com' }).returning();
  if (!account) throw new Error('no account was made');
  const id = 'media-convert-image_1';
  const job = { operationId: 'media-convert-image', params: {}, facts: {}, held: 0n };
  await db.insert(schema.jobs).values({ id, accountId: account.id, status: 'COMPLETED', ...job });
  return id;
}
