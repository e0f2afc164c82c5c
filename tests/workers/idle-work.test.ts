import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSemaphore } from '../../models/core/concurrency.ts';
import { createIdleWork } from '../../workers/bridge/idle-work.ts';
import { StandInPage } from '../support/browser/stand-in-page.ts';

const PAUSE_MS = 1_500;

function setUp() {
  const page = new StandInPage();
  const idle = createIdleWork({ pauseMs: PAUSE_MS, page });
  const slots = idle.yieldingTo(createSemaphore(2));
  const signals: AbortSignal[] = [];
  const work = async (signal: AbortSignal) => void signals.push(signal);
  return { page, idle, slots, signals, work };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('work that no caller waits for', () => {
  test('begins after a pause', () => {
    const { idle, signals, work } = setUp();
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS - 1);
    expect(signals).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test('ends at once when a run asks for a place, even before it has one', () => {
    const { idle, slots, signals, work } = setUp();
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS);
    void slots.acquire();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('does not begin while a run has a place, but when the last one has ended', async () => {
    const { idle, slots, signals, work } = setUp();
    const [first, second] = [await slots.acquire(), await slots.acquire()];
    first();
    first();
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(signals).toEqual([]);
    second();
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(signals).toHaveLength(1);
  });

  test('is no longer held by a run that gave up waiting for a place', async () => {
    const { idle, slots, signals, work } = setUp();
    const given = [await slots.acquire(), await slots.acquire()];
    const controller = new AbortController();
    const waiting = slots.acquire(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow();
    for (const release of given) release();
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(signals).toHaveLength(1);
  });

  test('ends when the page is hidden, and does not begin in a hidden one', () => {
    const { page, idle, signals, work } = setUp();
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS);
    page.hide();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    idle.plan(work);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(signals).toHaveLength(1);
  });

  test('is no longer planned when the page was hidden during the pause', () => {
    const { page, idle, signals, work } = setUp();
    idle.plan(work);
    page.hide();
    vi.advanceTimersByTime(PAUSE_MS);
    expect(signals).toEqual([]);
  });
});
