import { expect, it } from 'vitest';
import type { Sighting } from '../../../lab/cluster/load/load.ts';
import { type JobRecord, type Outcome, summarize } from '../../../lab/cluster/load/outcome.ts';
import { judge, latencyRatio } from '../../../lab/cluster/load/verdict.ts';

const seen = (requestId: string | null, changed: Partial<Sighting> = {}): Sighting => ({
  requestId,
  latencyMs: 100,
  isAtHealthyPart: true,
  givenUp: 0,
  isReadable: true,
  ...changed,
});
const known = (id: string, changed: Partial<JobRecord> = {}): JobRecord => ({
  id,
  status: 'COMPLETED',
  attempts: 1,
  charges: 1,
  runsToEnd: 1,
  ...changed,
});
const getOutcome = (sightings: readonly Sighting[], records: readonly JobRecord[]): Outcome =>
  summarize(sightings, records);

it('finds nothing wrong where each job completed once, for one charge', () => {
  const outcome = getOutcome([seen('a'), seen('b', { latencyMs: 300 })], [known('a'), known('b')]);
  expect(outcome).toMatchObject({
    submitted: 2,
    completed: 2,
    charges: 2,
    runsToEndMax: 1,
    wronglyCharged: 0,
  });
  expect(outcome.healthyMs).toEqual({ median: 100, p95: 300 });
  expect(judge(outcome, 100, [])).toEqual([]);
});

it.each<[string, Sighting, readonly JobRecord[]]>([
  ['1 FAILED', seen('a'), [known('a', { status: 'FAILED', charges: 0 })]],
  ['1 in ERROR', seen('a'), [known('a', { status: 'ERROR', charges: 0 })]],
  ['1 unfinished', seen('a'), [known('a', { status: 'PROCESSING', charges: 0 })]],
  ['1 unfinished', seen('a'), [known('a', { status: 'QUEUED', charges: 0 })]],
  ['1 lost', seen('a'), []],
  ['1 never accepted', seen(null), []],
  ['1 that no one sent', seen('a'), [known('a'), known('b')]],
  ['1 with an unreadable result', seen('a', { isReadable: false }), [known('a')]],
  ['1 wrongly charged', seen('a'), [known('a', { charges: 2 })]],
  ['1 wrongly charged', seen('a'), [known('a', { charges: 0 })]],
  ['1 in ERROR, 1 wrongly charged', seen('a'), [known('a', { status: 'ERROR', charges: 1 })]],
  ['a job ran to its end 2 times', seen('a'), [known('a', { runsToEnd: 2 })]],
])('says: %s', (words, sighting, records) => {
  expect(judge(getOutcome([sighting], records), null, []).join(', ')).toBe(words);
});

it('measures only first attempts of the healthy part', () => {
  const sightings = [
    seen('a'),
    seen('interrupted', { latencyMs: 20_000 }),
    seen('elsewhere', { latencyMs: 20_000, isAtHealthyPart: false }),
    seen('unknown', { latencyMs: null }),
  ];
  const records = [known('a'), known('interrupted', { attempts: 2 }), known('elsewhere'), known('unknown')];
  const outcome = getOutcome(sightings, records);
  expect(outcome).toMatchObject({ healthyMs: { median: 100, p95: 100 }, repeated: 1 });
});

it('allows the healthy part twice the latency of the baseline, and no more', () => {
  const outcome = getOutcome([seen('a')], [known('a')]);
  expect(judge(outcome, 50, [])).toEqual([]);
  expect(judge(outcome, 40, [])).toEqual(['latency ×2.5']);
  expect(latencyRatio(outcome, null)).toBeNull();
  expect(latencyRatio(getOutcome([seen('a', { isAtHealthyPart: false })], [known('a')]), 50)).toBeNull();
});

it('repeats the faults of the ledger', () => {
  expect(judge(getOutcome([], []), null, ['wallet 1: balance 2, entries sum to 3'])).toEqual([
    'wallet 1: balance 2, entries sum to 3',
  ]);
});
