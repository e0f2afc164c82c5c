import { once } from 'node:events';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import {
  type ApiClient,
  createApiClient,
  type Service,
  spawnPart,
  startService,
  stopPart,
  waitUntilHealthy,
} from '../../lab/support/service.ts';
import { formatUsd, parseUsd } from '../../models/core/operation/money.ts';
import { closeDb, openDb, schema } from '../../server/base/database/db.ts';
import { reconcileBalances } from '../../server/money/wallet/index.ts';
import { startPostgres } from '../../server/ops/embedded/index.ts';

const PRICE = parseUsd('0.002');
let files: FileServer;
let service: Service;

beforeAll(async () => {
  files = await serveFiles({
    '/photo.png': await sharp({ create: { width: 900, height: 700, channels: 3, background: '#456' } })
      .png()
      .toBuffer(),
  });
  service = await startService({ RATE_LIMIT_BURST: '1000', RATE_LIMIT_PER_SECOND: '1000' });
});
afterAll(async () => {
  await service?.stop();
  await files?.close();
});

/** Returns the process that last reported in the log as this part. */
function getPid(part: string, output: string): number {
  const pids = [...output.matchAll(new RegExp(`"part":"${part}","pid":(\\d+)`, 'g'))].map(([, pid]) =>
    Number(pid),
  );
  return pids.at(-1) ?? Number.NaN;
}

/**
 * Sends many conversions and recipes of two at once; a request whose response is lost in a crash counts as unanswered.
 */
async function submitMany(api: ApiClient, count: number): Promise<string[]> {
  const image_url = `${files.url}/photo.png`;
  const step = (id: string, from: string) => ({
    id,
    operation: 'convert',
    from,
    params: { to_format: 'avif' },
  });
  const steps = [step('first', 'input'), { ...step('second', 'input'), params: { to_format: 'webp' } }];
  const responses = await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const sent =
        at % 2 === 0
          ? api.convert({ image_url, to_format: 'avif' })
          : api.post('/v2/pipelines', { image_url, steps });
      return sent.catch(() => null);
    }),
  );
  return responses.flatMap((response) =>
    response?.status === 202 ? [String(response.body.request_id)] : [],
  );
}

async function expectSettled(credit: string): Promise<void> {
  const postgres = await startPostgres({ dataDir: String(service.env.DATA_DIR) });
  const db = openDb(postgres.url);
  try {
    await expect
      .poll(
        async () => (await db.select().from(schema.jobs)).filter((job) => job.completedAt === null).length,
        {
          timeout: 90_000,
          interval: 250,
        },
      )
      .toBe(0);
    const jobs = await db.select().from(schema.jobs);
    expect(jobs.map((job) => job.status)).toEqual(jobs.map(() => 'COMPLETED'));
    const [wallet] = (await db.select().from(schema.ledgerAccounts)).filter(
      (account) => account.kind === 'wallet',
    );
    expect(wallet?.held).toBe(0n);
    const recipes = jobs.filter(({ operationId }) => operationId === 'pipeline');
    const charged = PRICE * BigInt(jobs.length + recipes.length);
    expect(recipes.length).toBeGreaterThan(0);
    expect(formatUsd(wallet?.balance ?? 0n)).toBe(formatUsd(parseUsd(credit) - charged));
    expect(await reconcileBalances(db)).toEqual({ ok: true, faults: [] });
  } finally {
    await closeDb(db);
  }
}

it('kill -9 of web, runner, PostgreSQL and the whole process tree loses no job and charges none twice', async () => {
  const account = await service.account('kill@example.com', '1');
  const api = createApiClient(service.url, account.api_key);
  const accepted: string[] = [];

  for (const part of ['web', 'runner'] as const) {
    const sent = submitMany(api, 8);
    await new Promise((next) => setTimeout(next, 150));
    process.kill(getPid(part, service.output()), 'SIGKILL');
    accepted.push(...(await sent));
    await waitUntilHealthy(service.url, service.process, service.output);
  }

  accepted.push(...(await submitMany(api, 8)));
  process.kill((await startPostgres({ dataDir: String(service.env.DATA_DIR) })).pid, 'SIGKILL');
  await waitUntilHealthy(service.url, service.process, service.output);

  accepted.push(...(await submitMany(api, 8)));
  service.process.kill('SIGKILL');
  await once(service.process, 'exit');

  // The same folder and the same port: the first tree's remains do not interfere.
  const second = spawnPart('server/start.mjs', service.env);
  try {
    await waitUntilHealthy(service.url, second.process, second.output);
    // Responses are lost while a part is down; those received are binding.
    expect(accepted.length).toBeGreaterThanOrEqual(8);
    const ended = await Promise.all(accepted.map((id) => api.ended(id, { timeoutMs: 90_000 })));
    expect(ended.map((job) => job.status)).toEqual(ended.map(() => 'COMPLETED'));
    await expectSettled('1');
  } finally {
    await stopPart(second.process);
  }
});
