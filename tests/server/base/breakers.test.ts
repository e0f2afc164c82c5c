import { expect, test } from 'vitest';
import { createBreakers, watchOutages } from '../../../server/base/breakers.ts';
import { OutageError } from '../../../server/base/outage.ts';

const STORE = ['store'] as const;

function open() {
  const clock = { ms: 0 };
  const breakers = createBreakers(() => clock.ms);
  const fail = (count: number) => Array.from({ length: count }, () => breakers.recordFailure('store'));
  /** Returns the time until work is let through. */
  const pause = () => {
    const fromMs = clock.ms;
    while (!breakers.mayStart(STORE)) clock.ms += 500;
    return clock.ms - fromMs;
  };
  return { clock, breakers, fail, pause };
}

test('one opens after three failures in a row, and then lets one piece of work through after each growing pause', () => {
  const { breakers, fail, pause } = open();
  fail(2);
  expect([breakers.mayStart(STORE), breakers.mayStart(STORE), breakers.listOpen()]).toEqual([true, true, []]);
  fail(1);
  expect(breakers.listOpen()).toEqual([
    { dependency: 'store', failures: 3, since: new Date(0).toISOString() },
  ]);
  expect(pause()).toBe(1_000);
  expect([breakers.isOpen(STORE), breakers.isOpen(['disk'])]).toEqual([true, false]);
  // A second piece waits for the first.
  expect(breakers.mayStart(STORE)).toBe(false);
  const pauses = Array.from({ length: 7 }, () => {
    fail(1);
    return pause();
  });
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('work that began before it opened does not lengthen the pause', () => {
  const { fail, pause } = open();
  fail(40);
  expect(pause()).toBe(1_000);
});

test('a success closes it, and dependencies stand for themselves', () => {
  const { breakers, fail } = open();
  fail(3);
  expect(breakers.mayStart(['disk'])).toBe(true);
  expect(breakers.mayStart(['disk', 'store'])).toBe(false);
  breakers.recordSuccess(STORE);
  expect([breakers.mayStart(STORE), breakers.mayStart(STORE), breakers.listOpen()]).toEqual([true, true, []]);
});

test('one that no work meets any more is forgotten', () => {
  const { clock, breakers, fail } = open();
  fail(5);
  clock.ms += 600_001;
  expect([breakers.listOpen(), breakers.mayStart(STORE)]).toEqual([[], true]);
  fail(1);
  expect(breakers.listOpen()).toEqual([]);
});

test('watched work records its outages, and nothing about other failures', async () => {
  const { breakers } = open();
  const work = (thrown?: Error) =>
    watchOutages(breakers, STORE, async () => {
      if (thrown) throw thrown;
    }).catch(() => {});
  for (let count = 0; count < 3; count++) await work(new OutageError('store'));
  await work(new Error('the input is damaged'));
  expect(breakers.listOpen()).toMatchObject([{ failures: 3 }]);
  await work();
  expect(breakers.listOpen()).toEqual([]);
});
