import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withinTime } from '../../server/within-time.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

test('the time is over although garbage was collected in between and nobody holds another signal', async () => {
  const signal = withinTime(200, new AbortController().signal);
  const aborted = once(signal, 'abort');
  await pause(20);
  collectGarbage();
  await pause(20);
  collectGarbage();
  await aborted;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a signal that aborts before gives its own reason', () => {
  const left = new AbortController();
  const signal = withinTime(60_000, left.signal);
  expect(signal.aborted).toBe(false);
  left.abort('nobody waits');
  expect(signal.reason).toBe('nobody waits');
});
