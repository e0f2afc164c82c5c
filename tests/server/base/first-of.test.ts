import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { combineSignals } from '../../../server/base/signals.ts';
import { collectGarbage } from '../../support/processes/collect-garbage.ts';

const ROUNDS = 10_000;

test('the first signal that aborts gives its reason, at once if it has aborted before', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = combineSignals(one.signal, other.signal);
  other.abort('second');
  one.abort('first');
  expect(signal.reason).toBe('second');
  expect(combineSignals(one.signal, other.signal).signal.reason).toBe('first');
});

test('a long-lived signal retains nothing of combinations that have ended', async () => {
  const stopping = new AbortController();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < ROUNDS; round++) {
    const { signal, end } = combineSignals(stopping.signal, new AbortController().signal);
    signal.addEventListener('abort', () => {});
    end();
    if (round % 1000 === 0) await turn();
  }
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  await turn();
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * ROUNDS);
});
