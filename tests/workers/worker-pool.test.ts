import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkerPool } from '../../workers/bridge/worker-pool.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Workers that only know whether they were terminated. */
function setUp() {
  const ended: number[] = [];
  let count = 0;
  const start = () => {
    const id = count++;
    return { id, worker: { terminate: () => void ended.push(id) } as unknown as Worker };
  };
  return { pool: createWorkerPool(start), ended };
}

test('the youngest worker waits ten seconds for the next run, and the others three', () => {
  const { pool, ended } = setUp();
  const [first, second] = [pool.acquire(), pool.acquire()];
  pool.release(first);
  pool.release(second);
  vi.advanceTimersByTime(9_999);
  expect(ended).toEqual([0]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([0, 1]);
});

test('a prepared worker waits as long as it is told to, and is taken for the run', () => {
  const { pool, ended } = setUp();
  const prepared = pool.acquire();
  pool.release(prepared, 60_000);
  vi.advanceTimersByTime(59_999);
  expect(ended).toEqual([]);
  expect(pool.acquire()).toBe(prepared);
  vi.advanceTimersByTime(60_000);
  expect(ended).toEqual([]);
});

test('a worker that ran after it was prepared waits no longer than any other', () => {
  const { pool, ended } = setUp();
  pool.release(pool.acquire(), 60_000);
  pool.release(pool.acquire());
  vi.advanceTimersByTime(10_000);
  expect(ended).toEqual([0]);
});
