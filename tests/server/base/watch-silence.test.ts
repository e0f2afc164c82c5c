import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type SilenceWatch, watchSilence } from '../../../server/base/watch-silence.ts';

const SILENCE_MS = 1_000;
const ANSWER_MS = 3_000;

let watch: SilenceWatch;
let silences: number;
let lost: string[];

beforeEach(() => {
  vi.useFakeTimers();
  silences = 0;
  lost = [];
  watch = watchSilence({ silenceMs: SILENCE_MS, answerMs: ANSWER_MS }, () => {
    silences++;
  });
});
afterEach(() => void vi.useRealTimers());

const ask = (name: string, isSent = false) => watch.expectAnswer(isSent, () => lost.push(name));

/** Lets time pass in which the peer answers others. */
function passTime(milliseconds: number): void {
  for (let passedMs = 0; passedMs < milliseconds; passedMs += SILENCE_MS / 2) {
    ask('another')(true);
    vi.advanceTimersByTime(SILENCE_MS / 2);
  }
}

it('loses every question when no answer of any kind has come for a while', () => {
  ask('first');
  ask('second', true);
  vi.advanceTimersByTime(SILENCE_MS - 1);
  expect(lost).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([silences, lost.sort()]).toEqual([1, ['first', 'second']]);
  vi.advanceTimersByTime(10 * SILENCE_MS);
  expect(silences).toBe(1);
});

it('loses a question that is overtaken by the answers to later ones for longer than an answer may take', () => {
  ask('slow');
  passTime(ANSWER_MS - SILENCE_MS / 2);
  expect(lost).toEqual([]);
  passTime(SILENCE_MS);
  expect([silences, lost]).toEqual([0, ['slow']]);
});

it('loses none that may still wait for its turn, however long', () => {
  const turns = Array.from({ length: 20 }, (_, index) => ask(`turn ${index}`));
  for (const end of turns) {
    vi.advanceTimersByTime(SILENCE_MS / 2);
    end(true);
  }
  expect([silences, lost]).toEqual([0, []]);
});

it('counts the time of a question that is sent from the beginning', () => {
  const earlier = ask('earlier');
  ask('of a transaction', true);
  for (let passedMs = 0; passedMs < ANSWER_MS; passedMs += SILENCE_MS / 2) {
    const end = ask('sent', true);
    vi.advanceTimersByTime(SILENCE_MS / 2);
    end(true);
  }
  expect([silences, lost]).toEqual([0, ['of a transaction']]);
  earlier(true);
});

it('takes an end without an answer for no answer', () => {
  ask('first');
  vi.advanceTimersByTime(SILENCE_MS - 1);
  ask('second')(false);
  vi.advanceTimersByTime(1);
  expect([silences, lost]).toEqual([1, ['first']]);
});
