// @module-tag long

import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, type Db, openDb } from '../../../../server/base/database/db.ts';
import { migrate } from '../../../../server/base/database/migrate.ts';
import { openWallet, readBalance, reconcileBalances, topUp } from '../../../../server/money/wallet/index.ts';
import { startPostgres } from '../../../../server/ops/embedded/index.ts';
import { capture, hold } from '../../../support/service/move-money.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'darkroom-crash-'));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Pays and spends without end, and records acknowledged movements, until the database goes away. */
async function spendUntilFailure(db: Db, accountId: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    const reference = randomUUID();
    try {
      await topUp(db, { accountId, amount: 3n, idempotencyKey: reference, reference });
      await hold(db, { accountId, amount: 2n, reference });
      await capture(db, { reference, amount: 2n });
    } catch {
      return;
    }
    acknowledged.push(reference);
  }
}

test('after kill -9 of the busy server and a restart, every acknowledged movement is there', async () => {
  const first = await startPostgres({ dataDir });
  await migrate(first.url);
  const db = openDb(first.url, { connectionsMax: 8 });
  const accountIds = Array.from({ length: 4 }, () => randomUUID());
  for (const id of accountIds) await openWallet(db, id);
  const acknowledged: string[] = [];
  const work = Array.from({ length: 8 }, (_, i) =>
    spendUntilFailure(db, accountIds[i % accountIds.length] ?? '', acknowledged),
  );
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
  process.kill(first.pid, 'SIGKILL');
  await Promise.all(work);
  await closeDb(db);

  const second = await startPostgres({ dataDir });
  expect(second).toMatchObject({ startedHere: true });
  expect(second.pid).not.toBe(first.pid);
  const again = openDb(second.url);
  try {
    const rows = await again.$client`
      select reference from holds where state = 'captured' and reference in ${again.$client(acknowledged)}`;
    expect(rows).toHaveLength(acknowledged.length);
    expect(await reconcileBalances(again)).toEqual({ ok: true, faults: [] });
    const wallets = await Promise.all(accountIds.map((id) => readBalance(again, id)));
    const total = wallets.reduce((sum, wallet) => sum + wallet.balance, 0n);
    expect(total).toBeGreaterThanOrEqual(BigInt(acknowledged.length));
  } finally {
    await closeDb(again);
    await second.stop();
  }
}, 90_000);
