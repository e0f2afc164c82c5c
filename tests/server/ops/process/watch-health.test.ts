import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HEALTH_PONG, READY } from '../../../../server/ops/process/lifecycle.ts';
import { watchHealth } from '../../../../server/ops/process/watch-health.ts';

const rule = { everyMs: 10, missesMax: 2, startMissesMax: 5, graceMs: 10 };

let child: ChildProcess & { send: ReturnType<typeof vi.fn> };
let isDead: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  child = Object.assign(new EventEmitter(), { connected: true, send: vi.fn(), kill: vi.fn() }) as never;
  isDead = false;
  watchHealth(child, rule, () => {
    isDead = true;
  });
});
afterEach(() => {
  child.emit('exit');
  vi.useRealTimers();
});

const pass = (questions: number): void => void vi.advanceTimersByTime(questions * rule.everyMs);

test('a part that is never ready counts as dead, and is not asked before', () => {
  pass(5);
  expect([isDead, child.send.mock.calls.length]).toEqual([false, 0]);
  pass(1);
  expect(isDead).toBe(true);
});

test('a part that reports long work while it starts is given the time', () => {
  for (let reports = 0; reports < 10; reports++) {
    pass(4);
    child.emit('message', HEALTH_PONG);
  }
  expect(isDead).toBe(false);
});

test('a part that is ready must respond sooner', () => {
  pass(4);
  child.emit('message', READY);
  pass(2);
  expect([isDead, child.send.mock.calls.length]).toEqual([false, 2]);
  pass(1);
  expect(isDead).toBe(true);
});
