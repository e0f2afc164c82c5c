import { getEventListeners, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTimeoutSignal } from '../../../server/base/signals.ts';
import { collectGarbage } from '../../support/processes/collect-garbage.ts';

test('the timeout fires even after a garbage collection and without other references to a signal', async () => {
  const signal = createTimeoutSignal(200, new AbortController().signal);
  const aborted = once(signal, 'abort');
  await pause(20);
  collectGarbage();
  await pause(20);
  collectGarbage();
  await aborted;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a signal that aborts earlier gives its own reason', () => {
  const left = new AbortController();
  const signal = createTimeoutSignal(60_000, left.signal);
  expect(signal.aborted).toBe(false);
  left.abort('the client left');
  expect(signal.reason).toBe('the client left');
});

test('a signal that has already aborted takes effect at once', () => {
  expect(createTimeoutSignal(60_000, AbortSignal.abort('gone')).reason).toBe('gone');
});

test('a long-lived signal retains nothing of finished timeouts', async () => {
  const stopping = new AbortController().signal;
  const left = new AbortController();
  const waits = [createTimeoutSignal(10, stopping), createTimeoutSignal(60_000, stopping, left.signal)];
  expect(getEventListeners(stopping, 'abort')).toHaveLength(2);
  left.abort();
  await pause(50);
  expect(waits.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(getEventListeners(stopping, 'abort')).toHaveLength(0);
});
