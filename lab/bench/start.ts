import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildWhenNeeded } from '../../server/ops/build/build.ts';
import { listProcessTree, readProportionalBytes } from '../support/process-tree.ts';
import { findFreePort, readPostgresPid, spawnPart, stopPart, waitUntilHealthy } from '../support/service.ts';
import { cpuSecondsOfTree, megabytes, ms, report, sum, timeMs } from './measure.ts';

/** Until idle connections to the database have ended, and code that ran once is collected. */
const SETTLE_MS = 40_000;

/** Measures two starts on one data folder, and what an idle service holds. Memory and CPU time on Linux only. */
export async function benchStart(): Promise<void> {
  await buildWhenNeeded(resolve(import.meta.dirname, '../..'));
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-start-'));
  try {
    for (const name of ['first start', 'second start']) await benchOneStart(name, dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchOneStart(name: string, dataDir: string): Promise<void> {
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' };
  const service = spawnPart('server/start.mjs', env);
  try {
    const healthyMs = await timeMs(() =>
      waitUntilHealthy(`http://127.0.0.1:${port}`, service.process, service.output),
    );
    await wait(SETTLE_MS);
    const roots = [service.process.pid ?? 0, await readPostgresPid(dataDir)];
    const cpuSeconds = await Promise.all(roots.map(cpuSecondsOfTree));
    report(name, { healthy: ms(healthyMs), CPU: `${sum(cpuSeconds).toFixed(1)} s` });
    await reportMemory(roots);
  } finally {
    await stopPart(service.process);
  }
}

async function reportMemory([service = 0, postgres = 0]: readonly number[]): Promise<void> {
  const parts = await Promise.all(
    (await listProcessTree(service)).map(
      async ({ pid }) => [await getName(pid), await readProportionalBytes(pid)] as const,
    ),
  );
  const database = await Promise.all(
    (await listProcessTree(postgres)).map(({ pid }) => readProportionalBytes(pid)),
  );
  const all = [...parts, [`postgres, ${database.length} processes`, sum(database)] as const];
  for (const [name, bytes] of all) report(`  ${name}`, { PSS: megabytes(bytes) });
  report('  all', { PSS: megabytes(sum(all.map(([, bytes]) => bytes))) });
}

/** Returns the script that a Node process runs; a runner's child reads its code from standard input. */
async function getName(pid: number): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter(Boolean);
  const last = words.at(-1) ?? '';
  return last === '-' ? 'child' : basename(last);
}
