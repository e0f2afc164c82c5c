// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import {
  createApiClient,
  findFreePort,
  openTestAccount,
  spawnPart,
  stopPart,
  waitUntilHealthy,
} from '../../lab/support/service.ts';
import { reconcileBalances } from '../../server/money/wallet/index.ts';
import { startS3, type TestS3 } from '../support/servers/s3.ts';
import { createTestDatabase, type TestDatabase } from '../support/service/database.ts';

let database: TestDatabase;
let s3: TestS3;
let files: FileServer;
const folders: string[] = [];
const parts: ReturnType<typeof spawnPart>[] = [];

/** Starts a part on its own machine: a data folder that no other part can see. */
async function machine(
  script: string,
): Promise<{ url: string; env: NodeJS.ProcessEnv; part: (typeof parts)[number] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-machine-'));
  folders.push(dataDir);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...s3.environment,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
    RATE_LIMIT_BURST: '1000',
    RATE_LIMIT_PER_SECOND: '1000',
  };
  const part = spawnPart(script, env);
  parts.push(part);
  return { url, env, part };
}

beforeAll(async () => {
  database = await createTestDatabase();
  s3 = await startS3();
  files = await serveFiles({
    '/photo.png': await sharp({ create: { width: 640, height: 480, channels: 3, background: '#274' } })
      .png()
      .toBuffer(),
  });
}, 60_000);

afterAll(async () => {
  await Promise.all(parts.map((part) => stopPart(part.process)));
  await files?.close();
  await s3?.stop();
  await database?.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}, 60_000);

it('two web and two runner processes share one PostgreSQL and one S3-compatible store', async () => {
  const [webA, webB, runnerA] = await Promise.all([
    machine('server/ops/process/web.ts'),
    machine('server/ops/process/web.ts'),
    machine('server/ops/process/runner.ts'),
    machine('server/ops/process/runner.ts'),
  ]);
  await Promise.all([webA, webB].map(({ url, part }) => waitUntilHealthy(url, part.process, part.output)));
  const account = await openTestAccount(webA.env, 'several@example.com', '1');
  const a = createApiClient(webA.url, account.api_key);
  const b = createApiClient(webB.url, account.api_key);

  const accepted = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      (i % 2 ? a : b).convert({ image_url: `${files.url}/photo.png`, to_format: 'avif' }),
    ),
  );
  expect(accepted.map((response) => response.status)).toEqual(accepted.map(() => 202));
  runnerA.part.process.kill('SIGKILL');

  // Each job's status is read from the web process that did not accept it.
  const ended = await Promise.all(
    accepted.map((response, i) => (i % 2 ? b : a).ended(response.body.request_id)),
  );
  expect(ended.map((job) => job.status)).toEqual(ended.map(() => 'COMPLETED'));
  const [result] = ended[0].output.media_url;
  const downloaded = await fetch(result);
  expect(downloaded.status).toBe(200);
  expect((await sharp(Buffer.from(await downloaded.arrayBuffer())).metadata()).width).toBe(640);

  expect((await a.get('/api/v2/wallet')).body).toEqual({
    balance_usd: '0.952',
    held_usd: '0.00',
    available_usd: '0.952',
  });
  expect(await reconcileBalances(database.db)).toEqual({ ok: true, faults: [] });
}, 180_000);
