import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createInactivityWatchdog,
  type InactivityWatchdog,
} from '../../../server/base/database/inactivity-watchdog.ts';

const IDLE_MS = 1_000;
const RESPONSE_MS = 3_000;

let watchdog: InactivityWatchdog;
let inactivities: number;
let lost: string[];

beforeEach(() => {
  vi.useFakeTimers();
  inactivities = 0;
  lost = [];
  watchdog = createInactivityWatchdog({ idleTimeoutMs: IDLE_MS, responseTimeoutMs: RESPONSE_MS }, () => {
    inactivities++;
  });
});
afterEach(() => void vi.useRealTimers());

const send = (name: string, isSent = false) => watchdog.trackRequest(isSent, () => lost.push(name));

/** Lets time pass in which the peer responds to others. */
function passTime(milliseconds: number): void {
  for (let passedMs = 0; passedMs < milliseconds; passedMs += IDLE_MS / 2) {
    send('another')(true);
    vi.advanceTimersByTime(IDLE_MS / 2);
  }
}

it('expires every request when no response of any kind has come for a while', () => {
  send('first');
  send('second', true);
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(lost).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([inactivities, lost.sort()]).toEqual([1, ['first', 'second']]);
  vi.advanceTimersByTime(10 * IDLE_MS);
  expect(inactivities).toBe(1);
});

it('expires a request whose later ones get responses for longer than a response may take', () => {
  send('slow');
  passTime(RESPONSE_MS - IDLE_MS / 2);
  expect(lost).toEqual([]);
  passTime(IDLE_MS);
  expect([inactivities, lost]).toEqual([0, ['slow']]);
});

it('expires none that may still wait for a connection, however long', () => {
  const turns = Array.from({ length: 20 }, (_, index) => send(`turn ${index}`));
  for (const end of turns) {
    vi.advanceTimersByTime(IDLE_MS / 2);
    end(true);
  }
  expect([inactivities, lost]).toEqual([0, []]);
});

it('counts the time of a request that is sent from the beginning', () => {
  const earlier = send('earlier');
  send('of a transaction', true);
  for (let passedMs = 0; passedMs < RESPONSE_MS; passedMs += IDLE_MS / 2) {
    const end = send('sent', true);
    vi.advanceTimersByTime(IDLE_MS / 2);
    end(true);
  }
  expect([inactivities, lost]).toEqual([0, ['of a transaction']]);
  earlier(true);
});

it('does not count an end without a response as a response', () => {
  send('first');
  vi.advanceTimersByTime(IDLE_MS - 1);
  send('second')(false);
  vi.advanceTimersByTime(1);
  expect([inactivities, lost]).toEqual([1, ['first']]);
});
