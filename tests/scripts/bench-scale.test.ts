// @module-tag long

import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillTables, type ServiceSize } from '../../lab/bench/scale/fill-tables.ts';
import { measurePurge } from '../../lab/bench/scale/measure-purge.ts';
import { explainService, measureService } from '../../lab/bench/scale/measure-service.ts';
import { jainIndex, simulateRunners } from '../../lab/bench/scale/simulate-runners.ts';
import {
  explainStatement,
  listScans,
  listWholeScans,
  recordStatements,
} from '../../lab/support/query-plans.ts';
import { closeDb, openDb } from '../../server/base/database/db.ts';
import { endOverdueJobs } from '../../server/jobs/index.ts';
import { reconcileBalances } from '../../server/money/wallet/index.ts';
import { createJobFixture, type JobFixture } from '../support/service/job-fixture.ts';

/** Tables of which a hot statement may read a few rows only. */
const GROWING = [
  'jobs',
  'files',
  'entries',
  'transfers',
  'holds',
  'ledger_accounts',
  'queue_entries',
  'queue_turns',
];
const ONCE = { jobs: 1, reads: 1, dashboard: 1, upkeep: 1 };
let fixture: JobFixture;

beforeEach(async () => {
  fixture = await createJobFixture({ credit: 0n });
});
afterEach(() => fixture.close());

async function fill(size: ServiceSize): Promise<void> {
  const db = openDb(fixture.url, { connectionsMax: 1, statementTimeoutMs: 0 });
  await fillTables(db, size).finally(() => closeDb(db));
}

test('every step runs on filled tables, and leaves a consistent ledger', async () => {
  const { ctx, url } = fixture;
  await fill({ jobs: 3_000, accounts: 300, queued: 500 });
  const times = await measureService(ctx, ONCE);
  expect(times.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'accept',
      'claim',
      'complete',
      'jobs.list',
      'balance',
      'health page',
      'overdue jobs',
    ]),
  );
  for (const cost of await measurePurge(ctx)) expect(cost.rows).toBeGreaterThan(0);
  const simulation = { url, lane: 'interactive', runners: 3, seconds: 1, runMs: 1 } as const;
  const { turns, connections } = await simulateRunners(ctx, simulation);
  expect(turns.length).toBeGreaterThan(0);
  expect(connections).toBeGreaterThan(3);
  expect(await reconcileBalances(ctx.db)).toEqual({ ok: true, faults: [] });
});

test('with 100,000 jobs no hot statement scans a whole table', { tags: ['long'] }, async () => {
  const { ctx } = fixture;
  await fill({ jobs: 100_000, accounts: 10_000, queued: 16_666 });
  const plans = await explainService(ctx, recordStatements(ctx.db));
  const scanned = [...plans].map(([name, statements]) => {
    return [name, statements.flatMap(listWholeScans).filter((table) => GROWING.includes(table))];
  });
  expect(scanned.length).toBeGreaterThan(15);
  expect(scanned.filter(([, tables = []]) => tables.length > 0)).toEqual([]);
});

test('the search for overdue jobs reads none of the past, whatever values its plan is for', {
  tags: ['long'],
}, async () => {
  const { ctx } = fixture;
  await fill({ jobs: 100_000, accounts: 10_000, queued: 16_666 });
  const log = recordStatements(ctx.db);
  const statements = await log.record(() => endOverdueJobs({ ...ctx, db: log.db }));
  for (const isGeneric of [false, true]) {
    const plans = statements.map((statement) => explainStatement(ctx.db, statement, isGeneric));
    const scans = (await Promise.all(plans)).flatMap(listScans);
    const ofJobs = scans.filter(
      (scan) => scan['Node Type'] !== 'Bitmap Heap Scan' && scan['Relation Name'] !== 'queue_entries',
    );
    expect(new Set(ofJobs.map((scan) => scan['Index Name']))).toEqual(
      new Set(['jobs_deadline', 'jobs_unfinished']),
    );
  }
});

test("Jain's index is 1 for equal shares, and 1/n when one has all", () => {
  expect(jainIndex([3, 3, 3])).toBe(1);
  expect(jainIndex([5, 0, 0, 0])).toBe(0.25);
});
