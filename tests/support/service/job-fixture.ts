import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { createRequestId } from '../../../models/core/operation/job.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../../server/base/context.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { type Actor, issueKey } from '../../../server/identity/keys/index.ts';
import { openStorage } from '../../../server/io/storage/index.ts';
import { type StoredFile, type Submission, submitJob } from '../../../server/jobs/index.ts';
import { topUp } from '../../../server/money/wallet/index.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface JobFixture {
  readonly ctx: Context;
  readonly url: string;
  readonly actor: Actor;
  /**
   * Stores an input and submits a job on it.
   * @returns the request_id
   */
  submit(operation: Operation, params: object, options?: Partial<Submission>): Promise<string>;
  /** Opens a further account with as much credit. */
  addActor(): Promise<Actor>;
  close(): Promise<void>;
}

/** Creates a database, a store and an account with money in its wallet: everything that a job needs. */
export async function createJobFixture(
  options: {
    credit?: MicroUsd;
    monthlyCap?: MicroUsd;
    environment?: Record<string, string>;
    /** Migrated database; a temporary one when absent. */
    database?: TestDatabase;
  } = {},
): Promise<JobFixture> {
  const { credit = 1_000_000n, monthlyCap, environment = {} } = options;
  const { db, url, drop } = options.database ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'jobs-'));
  const env = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    RUNNER_CONCURRENCY: '2',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...environment,
  });
  const ctx = { env, db, storage: await openStorage(env), log: createLogger(env.LOG_LEVEL, 'test') };
  const addActor = async (): Promise<Actor> => {
    const { accountId } = await openAccount(db, `${randomUUID()}@example.com`);
    if (credit > 0n) {
      await topUp(db, { accountId, amount: credit, idempotencyKey: randomUUID(), reference: 'test' });
    }
    const { keyId } = await issueKey(db, {
      accountId,
      name: 'test',
      ...(monthlyCap === undefined ? {} : { monthlyCap }),
    });
    return { accountId, isTest: false, keyId, rateId: keyId, operations: null };
  };
  const actor = await addActor();
  return {
    ctx,
    url,
    actor,
    addActor,
    async submit(operation, params, overrides = {}) {
      const id = createRequestId(operation.id, Date.now());
      const input = await storeInput(ctx, id);
      const { facts, price } = await operation.quote(new Blob(['some bytes']), params);
      const files: Submission['files'] = [{ ...input, role: 'input', position: 0 }];
      const lane = overrides.lane ?? operation.laneFor(overrides.facts ?? facts, params);
      const job = { id, actor, modelId: operation.id, params, facts, price, files, lane };
      await submitJob(ctx, { ...job, ...overrides });
      return id;
    },
    async close() {
      await drop();
      await removeFolder(dataDir);
    },
  };
}

async function storeInput(ctx: Context, id: string): Promise<StoredFile> {
  const path = join(ctx.env.DATA_DIR, randomUUID());
  const bytes = Buffer.from('some bytes');
  await writeFile(path, bytes);
  const key = `inputs/${id}/${randomUUID()}/input`;
  const mediaType = 'application/octet-stream';
  await ctx.storage.putFile(key, path, mediaType);
  const sha256 = createHash('sha256').update(bytes).digest();
  return { key, name: 'input', mediaType, bytes: bytes.length, sha256 };
}
