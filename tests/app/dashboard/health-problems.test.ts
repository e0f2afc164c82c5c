import { expect, test } from 'vitest';
import { type HealthState, healthProblems } from '../../../app/dashboard/health/health-problems.ts';
import { formatMoment } from '../../../app/ui/dates.ts';

const SINCE = '2026-11-23T11:59:00.000Z';
const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const facts = { freeDiskBytes: 50e9, diskBytes: 100e9 };
const runner = { part: 'runner', host: 'a', silentSeconds: 3, isAlive: true, facts };
const backup = { name: 'backup', endedAt: '2026-11-22T12:00:00Z', durationMs: 5, fault: null };

const getTexts = (more: object) => {
  const well = {
    processes: [runner],
    stored: { works: true },
    scheduledTasks: [backup],
    failures: [],
    lanes: [],
  };
  const state = { ...well, ...more } as unknown as HealthState;
  return healthProblems(state, NOW_MS).map(({ tone, text }) => `${tone}: ${text}`);
};

test('a service that works has no problem', () => {
  expect(getTexts({})).toEqual([]);
});

test.each<[string, object, string]>([
  [
    'a store that does not work',
    { stored: { works: false } },
    'bad: The store does not read or write files.',
  ],
  ['no process', { processes: [] }, 'bad: No runner is alive: jobs wait.'],
  [
    'a faulty ledger',
    { scheduledTasks: [backup, { ...backup, name: 'reconcile', fault: 'wallet 1' }] },
    'bad: Check of the ledger failed: wallet 1',
  ],
  [
    'faults of ours',
    { failures: [{ status: 'ERROR', lastHour: 2 }] },
    'warn: 2 jobs failed by our fault in the last hour.',
  ],
  [
    'a long wait',
    { lanes: [{ lane: 'long', oldestSeconds: 600 }] },
    'warn: The oldest entry of "long" has waited for 10 min.',
  ],
  [
    'a silent process',
    { processes: [runner, { ...runner, part: 'web', host: 'b', isAlive: false, silentSeconds: 90 }] },
    'warn: A web on b is silent since 1 min.',
  ],
  [
    'a full disk',
    { processes: [{ ...runner, facts: { freeDiskBytes: 5e9, diskBytes: 100e9 } }] },
    'warn: The disk of DATA_DIR on a has only 5.0 GB left.',
  ],
  [
    'an outage that a runner sees',
    {
      processes: [
        { ...runner, facts: { ...facts, outages: [{ dependency: 'store', since: SINCE, failures: 4 }] } },
      ],
    },
    `bad: The runner on a waits for the store since ${formatMoment(SINCE)}, after 4 failures in a row.`,
  ],
  [
    'weights that made room for others today',
    {
      processes: [
        {
          ...runner,
          facts: {
            ...facts,
            evicted: [
              { id: 'u2netp', bytes: 4_574_861, at: SINCE },
              { id: 'modnet-fp16', bytes: 12_984_781, at: '2026-11-20T00:00:00.000Z' },
            ],
          },
        },
      ],
    },
    'warn: u2netp was deleted on a to make room for other models. MODELS_DISK_MB sets their limit.',
  ],
  ['no backup', { scheduledTasks: [] }, 'warn: No backup was made with the backup command.'],
  [
    'an old backup',
    { scheduledTasks: [{ ...backup, endedAt: '2026-11-13T12:00:00Z' }] },
    'warn: The last backup is 10 days old.',
  ],
])('%s is one', (_, state, text) => {
  expect(getTexts(state)).toEqual([text]);
});

test('faults of inputs and short waits are none', () => {
  const failures = [{ status: 'FAILED', lastHour: 9 }];
  expect(
    getTexts({
      failures,
      lanes: [
        { lane: 'long', oldestSeconds: 20 },
        { lane: 'own', oldestSeconds: 600 },
      ],
    }),
  ).toEqual([]);
});
