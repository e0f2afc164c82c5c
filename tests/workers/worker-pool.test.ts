import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StandInPage } from '../support/browser/stand-in-page.ts';

// Types of the tests know no workers of a page.
const MODULE: string = '../../workers/bridge/worker-pool.ts';

interface StandInWorker {
  readonly id: number;
  readonly worker: { terminate(): void };
}

interface Pool {
  acquire(): StandInWorker;
  release(kept: StandInWorker): void;
}

const { createWorkerPool }: { createWorkerPool(start: () => StandInWorker, options: object): Pool } =
  await import(MODULE);

const LONG_MS = 600_000;

/** Creates a pool of stand-ins that count their ends. */
function setUp(memoryGb?: number) {
  const page = new StandInPage();
  const ended: number[] = [];
  let started = 0;
  const pool = createWorkerPool(
    () => {
      const id = ++started;
      return { id, worker: { terminate: () => void ended.push(id) } };
    },
    { page, memoryGb },
  );
  return { page, pool, ended };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the youngest worker stays while its page is visible, and serves the next run', () => {
  const { pool, ended } = setUp();
  const kept = pool.acquire();
  pool.release(kept);
  vi.advanceTimersByTime(LONG_MS);
  expect(ended).toEqual([]);
  expect(pool.acquire()).toBe(kept);
});

test('of two idle workers only the youngest stays', () => {
  const { pool, ended } = setUp();
  const [first, second] = [pool.acquire(), pool.acquire()];
  pool.release(first);
  vi.advanceTimersByTime(LONG_MS);
  pool.release(second);
  vi.advanceTimersByTime(LONG_MS);
  expect(ended).toEqual([first.id]);
});

test('a worker ends half a minute after its page is hidden, unless the page is shown again', () => {
  const { page, pool, ended } = setUp();
  pool.release(pool.acquire());
  vi.advanceTimersByTime(LONG_MS);
  page.hide();
  vi.advanceTimersByTime(10_000);
  page.show();
  vi.advanceTimersByTime(LONG_MS);
  expect(ended).toEqual([]);
  page.hide();
  vi.advanceTimersByTime(31_000);
  expect(ended).toEqual([1]);
});

test('where memory is scarce even the youngest worker ends', () => {
  const { pool, ended } = setUp(2);
  pool.release(pool.acquire());
  vi.advanceTimersByTime(29_000);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(ended).toEqual([1]);
});
