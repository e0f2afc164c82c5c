import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DoneState, RunFile, RunRequest } from '../../../app/studio/runs/batch.ts';
import { LIVE_PAUSE_MS, LiveRun } from '../../../app/studio/runs/live-run.ts';
import { Batch } from '../../../app/studio/runs/run-batch.ts';
import { isOutdated } from '../../../app/studio/runs/shown-files.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';

const order = (quality: number, where: RunRequest['location'] = 'device'): RunRequest => ({
  location: where,
  paramsFor: () => ({ quality }),
  values: { quality },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Batch of two files whose runs end on demand, with a live run. */
function liveBatch() {
  const begun: string[] = [];
  const aborted: string[] = [];
  const ends: { done(): void; fail(error: Error): void }[] = [];
  const run: RunFile = (file, { location, values }, { signal, onProgress }) => {
    const name = `${file.name} ${values?.quality} ${location}`;
    begun.push(name);
    onProgress({ fraction: 0.5 });
    return new Promise((resolve, reject) => {
      ends.push({ done: () => resolve({ files: [], warnings: [name] }), fail: reject });
      signal.addEventListener('abort', () => {
        aborted.push(name);
        reject(new OperationError('cancelled', 'Cancelled.'));
      });
    });
  };
  const replaced: DoneState[] = [];
  const batch = new Batch(run, 1);
  const live = new LiveRun(batch, run, { onReplaced: (state) => replaced.push(state) });
  const first = batch.add([new File(['a'], 'a'), new File(['b'], 'b')]);
  const state = () => batch.view().items[0]?.state;
  const end = async (how: (end: (typeof ends)[number]) => void = (last) => last.done()) => {
    how(ends.at(-1) as (typeof ends)[number]);
    await vi.advanceTimersByTimeAsync(0);
  };
  const wait = (ms = LIVE_PAUSE_MS) => vi.advanceTimersByTimeAsync(ms);
  return { batch, live, first, begun, aborted, replaced, state, end, wait };
}

const madeBy = (name: string) => ({ phase: 'done', result: { warnings: [name] } });

describe('a live run', () => {
  test('begins a pause after the last of many changes, and runs only that', async () => {
    const { live, first, begun, state, end, wait } = liveBatch();
    for (const quality of [90, 80, 70]) {
      live.start(order(quality), first);
      await wait(LIVE_PAUSE_MS - 1);
    }
    expect([begun, live.view()]).toEqual([[], { id: first, progress: undefined }]);
    await wait(1);
    expect([begun, live.view()]).toEqual([['a 70 device'], { id: first, progress: { fraction: 0.5 } }]);
    await end();
    expect([state(), live.view()]).toMatchObject([
      { ...madeBy('a 70 device'), resultParams: { quality: 70 } },
      null,
    ]);
  });

  test('leaves the old result until the new one is there', async () => {
    const { live, first, state, end, wait } = liveBatch();
    live.start(order(70), first);
    await wait();
    await end();
    live.start(order(60), first);
    await wait();
    expect(state()).toMatchObject(madeBy('a 70 device'));
    await end();
    expect(state()).toMatchObject(madeBy('a 60 device'));
  });

  test('cancels the run under way for a newer change, and does not let it end', async () => {
    const { live, first, begun, aborted, state, end, wait } = liveBatch();
    live.start(order(70), first);
    await wait();
    live.start(order(60), first);
    expect(aborted).toEqual(['a 70 device']);
    await wait();
    expect(begun).toEqual(['a 70 device', 'a 60 device']);
    await end();
    expect(state()).toMatchObject(madeBy('a 60 device'));
  });

  test('keeps the old result when it fails, and says why', async () => {
    const { live, first, state, end, wait } = liveBatch();
    live.start(order(70), first);
    await wait();
    await end();
    live.start(order(60), first);
    await wait();
    await end((last) => last.fail(new OperationError('unavailable', 'Too large.')));
    expect(state()).toMatchObject({ ...madeBy('a 70 device'), rerunError: 'Too large.' });
  });

  test('never goes to the server', async () => {
    const { live, first, begun, wait } = liveBatch();
    live.start(order(70, 'server'), first);
    await wait();
    expect(begun).toEqual(['a 70 device']);
  });

  test('ends with its file, and when the batch runs the file itself', async () => {
    const { batch, live, first, aborted, begun, wait } = liveBatch();
    live.start(order(70), first);
    await wait();
    batch.remove(first);
    expect([aborted, live.view()]).toEqual([['a 70 device'], null]);
    live.start(order(60), first + 1);
    await wait();
    void batch.start(order(50));
    expect([aborted.at(-1), begun.at(-1), live.view()]).toEqual(['b 60 device', 'b 50 device', null]);
  });

  test('yields to a run of any other file where it started automatically', async () => {
    const { batch, live, first, aborted, begun, wait } = liveBatch();
    const ended = live.start({ ...order(70), isAutomatic: true }, first);
    await wait();
    void batch.start(order(50), [first + 1]);
    expect([aborted, begun.at(-1), live.view()]).toEqual([['a 70 device'], 'b 50 device', null]);
    expect(await ended).toBeNull();
  });

  test('settles for those who wait for its file, however it ends', async () => {
    const { live, first, end, wait } = liveBatch();
    const settled = vi.fn();
    live.start(order(70), first);
    void live.settled(first).then(settled);
    await wait();
    live.start(order(60), first);
    await wait();
    expect(settled).not.toHaveBeenCalled();
    await end();
    expect(settled).toHaveBeenCalled();
    live.start(order(50), first);
    const stopped = live.settled(first);
    live.cancel();
    await stopped;
  });

  test('reports the live results that newer ones replace, and no others', async () => {
    const { batch, live, first, replaced, end, wait } = liveBatch();
    void batch.start(order(90), [first]);
    await end();
    for (const quality of [80, 70]) {
      live.start(order(quality), first);
      await wait();
      await end();
    }
    expect(replaced).toMatchObject([madeBy('a 80 device')]);
  });
});

test('a result is outdated as soon as its settings are others, and no longer once they are back', async () => {
  const { batch, first, state, end } = liveBatch();
  void batch.start(order(90), [first]);
  await end();
  const done = state() as DoneState;
  expect([80, 90].map((quality) => isOutdated(done, { quality }))).toEqual([true, false]);
  expect(isOutdated({ phase: 'waiting' }, { quality: 80 })).toBe(false);
});
