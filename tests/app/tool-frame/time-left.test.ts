import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TimeLeft } from '../../../app/studio/tool-frame/time-left.ts';

/** Progress of a recorded run, on two cores that other work shared. */
interface Trace {
  readonly name: string;
  readonly seconds: number;
  readonly at: readonly (readonly [ms: number, fraction: number])[];
}

const FILE = join(import.meta.dirname, '../../fixtures/run-times/traces.json');
const TRACES: readonly Trace[] = JSON.parse(await readFile(FILE, 'utf8'));
const TICK_MS = 250;

/** Follows a run, as a page that renders each tick. Returns each shown time next to the true one, in seconds. */
function follow({ seconds, at }: Trace, expected?: number) {
  const estimate = new TimeLeft();
  const shown: { readonly left: number; readonly truth: number }[] = [];
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs += TICK_MS) {
    const fraction = at.findLast(([ms]) => ms <= nowMs)?.[1] ?? 0;
    const left = estimate.secondsLeft(fraction, nowMs, expected);
    if (left !== undefined) shown.push({ left, truth: seconds - nowMs / 1000 });
  }
  return shown;
}

describe.each(TRACES)('the time left of a recorded run: $name', (trace) => {
  const { seconds } = trace;

  test.each([
    ['without earlier runs', undefined],
    ['by equal runs', seconds],
    ['by longer runs', seconds * 1.2],
    ['by shorter runs', seconds * 0.85],
  ])('is within a factor of two and never rises, %s', (_, expected) => {
    const shown = follow(trace, expected);
    if (expected !== undefined) expect(shown.length * TICK_MS).toBeGreaterThan(seconds * 500);
    for (const [at, { left, truth }] of shown.entries()) {
      const ratio = Math.max(1, left) / Math.max(1, truth);
      expect(ratio, `${left} s of ${truth} s`).toBeGreaterThanOrEqual(0.5);
      expect(ratio, `${left} s of ${truth} s`).toBeLessThanOrEqual(2);
      expect(left).toBeLessThanOrEqual(shown[at - 1]?.left ?? left);
    }
  });
});

/** Follows a run of even steps. Returns the last time left. */
function stepEvenly(estimate: TimeLeft, steps: number, fraction: number, everyMs: number) {
  let left: number | undefined;
  for (let step = 0; step <= steps; step++) left = estimate.secondsLeft(step * fraction, step * everyMs);
  return left;
}

test('a steady run has the time left that its rate gives', () => {
  expect(stepEvenly(new TimeLeft(), 50, 0.01, 1000)).toBeCloseTo(50);
});

test('a few jumps tell no time', () => {
  const estimate = new TimeLeft();
  expect(estimate.secondsLeft(0, 0)).toBeUndefined();
  expect(estimate.secondsLeft(0.1, 1000)).toBeUndefined();
  expect(estimate.secondsLeft(0.7, 5000)).toBeUndefined();
});

test('a run that stops moving shows no time once the shown one was far too short', () => {
  const estimate = new TimeLeft();
  stepEvenly(estimate, 50, 0.01, 1000);
  expect(estimate.secondsLeft(0.5, 52_000)).toBeLessThan(50.001);
  expect(estimate.secondsLeft(0.5, 150_000)).toBeUndefined();
});

test('a time that does not fall any more is hidden, and comes back once it is shorter', () => {
  const estimate = new TimeLeft();
  stepEvenly(estimate, 90, 0.01, 1000);
  const shown = [91, 92, 93, 94, 95].map((second) => estimate.secondsLeft(0.9, second * 1000));
  expect(shown[0]).toBeLessThan(10.001);
  expect(shown.at(-1)).toBeUndefined();
  let left: number | undefined;
  for (let step = 1; step <= 6; step++) left = estimate.secondsLeft(0.9 + step * 0.01, 95_000 + step * 1000);
  expect(left).toBeLessThan(10);
});

test('progress that is itself guessed from an expected time is no rate', () => {
  const follow = (isGuess: boolean) => {
    const estimate = new TimeLeft();
    let left: number | undefined;
    for (let step = 0; step <= 50; step++)
      left = estimate.secondsLeft(step * 0.01, step * 200, undefined, isGuess);
    return left;
  };
  expect(follow(false)).toBeCloseTo(10);
  expect(follow(true)).toBeUndefined();
});

test('another run starts over', () => {
  const estimate = new TimeLeft();
  stepEvenly(estimate, 50, 0.01, 100);
  expect(estimate.secondsLeft(0, 6000)).toBeUndefined();
  expect(estimate.secondsLeft(0, 6000, 60)).toBeCloseTo(60);
});
