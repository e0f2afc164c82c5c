import { describe, expect, test } from 'vitest';
import type { RunFile, RunRequest } from '../../../app/studio/runs/batch.ts';
import { Batch } from '../../../app/studio/runs/run-batch.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';

const order = (where: RunRequest['location'], mark = ''): RunRequest => ({
  location: where,
  paramsFor: () => ({ mark }),
});
const file = (name: string) => new File([name], name);
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Creates a batch whose runs end on demand. */
function getBatch({ lanes }: { lanes: number }) {
  const begun: string[] = [];
  const ends = new Map<string, { done(): void; fail(error: Error): void }>();
  const run: RunFile = ({ name }, { location, paramsFor }, { signal }) => {
    begun.push(`${name} ${location}${(paramsFor(file(name)) as { mark: string }).mark}`);
    return new Promise((resolve, reject) => {
      ends.set(name, { done: () => resolve({ files: [], warnings: [] }), fail: reject });
      signal.addEventListener('abort', () => reject(new OperationError('cancelled', 'Cancelled.')));
    });
  };
  const batch = new Batch(run, lanes);
  const phases = () => batch.view().items.map(({ state }) => state.phase);
  const end = async (name: string, error?: Error) => {
    if (error) ends.get(name)?.fail(error);
    else ends.get(name)?.done();
    await pause();
  };
  return { batch, begun, phases, end };
}

describe('a batch', () => {
  test('runs files that join it with the settings they were started with', async () => {
    const { batch, begun, phases, end } = getBatch({ lanes: 1 });
    const sent = batch.add([file('sent')]);
    const all = batch.start(order('server'), [sent]);
    const kept = batch.add([file('private')]);
    const joined = batch.start(order('device'), [kept]);
    await end('sent');
    await end('private');
    await Promise.all([all, joined]);
    expect(begun).toEqual(['sent server', 'private device']);
    expect(phases()).toEqual(['done', 'done']);
  });

  test('does not start a file that is added while selected files run', async () => {
    const { batch, begun, phases, end } = getBatch({ lanes: 1 });
    const started = batch.start(order('server'), [batch.add([file('sent')])]);
    batch.add([file('added')]);
    await end('sent');
    await started;
    expect([begun, phases()]).toEqual([['sent server'], ['done', 'waiting']]);
  });

  test('also runs a file that is added while all files run', async () => {
    const { batch, begun, end } = getBatch({ lanes: 1 });
    batch.add([file('first')]);
    const started = batch.start(order('device'));
    batch.add([file('second')]);
    await end('first');
    await end('second');
    await started;
    expect(begun).toEqual(['first device', 'second device']);
  });

  test('uses every lane for files that join it', async () => {
    const { batch, begun, end } = getBatch({ lanes: 3 });
    const started = batch.start(order('device'), [batch.add([file('a')])]);
    await pause();
    const second = batch.add([file('b'), file('c'), file('d')]);
    void batch.start(order('device'), [second, second + 1, second + 2]);
    expect(begun).toEqual(['a device', 'b device', 'c device']);
    for (const name of ['a', 'b', 'c', 'd']) await end(name);
    await started;
    expect(batch.view().isRunning).toBe(false);
  });

  test('sets unfinished files back to waiting when cancelled, and can be restarted', async () => {
    const { batch, begun, phases, end } = getBatch({ lanes: 1 });
    batch.add([file('a'), file('b'), file('c')]);
    const started = batch.start(order('device'));
    await end('a');
    batch.cancel();
    await started;
    expect(phases()).toEqual(['done', 'waiting', 'waiting']);
    const again = batch.start(order('device', ' again'));
    await end('b');
    await end('c');
    await again;
    expect(begun).toEqual(['a device', 'b device', 'b device again', 'c device again']);
  });

  test('retries a failed file only on request', async () => {
    const { batch, begun, phases, end } = getBatch({ lanes: 1 });
    const id = batch.add([file('a')]);
    const started = batch.start(order('device'));
    await end('a', new OperationError('unprocessable', 'It is corrupt.'));
    await started;
    expect(batch.view().items[0]?.state).toEqual({
      phase: 'failed',
      code: 'unprocessable',
      message: 'It is corrupt.',
    });
    const again = batch.start(order('device'), [id]);
    await end('a');
    await again;
    expect([begun.length, phases()]).toEqual([2, ['done']]);
  });
});

describe('rerunning a file', () => {
  async function oneDone() {
    const made = getBatch({ lanes: 1 });
    const id = made.batch.add([file('a'), file('other')]);
    const started = made.batch.start(order('device'));
    await made.end('a');
    await made.end('other');
    await started;
    const again = made.batch.rerun(order('device', ' larger'), [id]);
    await pause();
    return { ...made, again };
  }

  test('leaves the other files alone', async () => {
    const { begun, phases, end, again } = await oneDone();
    expect(phases()).toEqual(['running', 'done']);
    await end('a');
    await again;
    expect(begun).toEqual(['a device', 'other device', 'a device larger']);
    expect(phases()).toEqual(['done', 'done']);
  });

  test('keeps the earlier result when cancelled', async () => {
    const { batch, phases, again } = await oneDone();
    batch.cancel();
    await again;
    expect(phases()).toEqual(['done', 'done']);
  });

  test('keeps the earlier result when it fails, and gives the reason', async () => {
    const { batch, end, again } = await oneDone();
    await end('a', new OperationError('unavailable', 'The weights cannot be downloaded.'));
    await again;
    expect(batch.view().items[0]?.state).toMatchObject({
      phase: 'done',
      rerunError: 'The weights cannot be downloaded.',
    });
  });

  test('shows the new result of each file as soon as it is there', async () => {
    const made = getBatch({ lanes: 1 });
    const first = made.batch.add([file('a'), file('b')]);
    const started = made.batch.start(order('device'));
    await made.end('a');
    await made.end('b');
    await started;
    const again = made.batch.rerun(order('device', ' larger'), [first, first + 1]);
    expect([first, first + 1].map((id) => made.batch.earlierState(id)?.phase)).toEqual(['done', 'done']);
    await made.end('a');
    expect([first, first + 1].map((id) => made.batch.earlierState(id)?.phase)).toEqual([undefined, 'done']);
    await made.end('b');
    await again;
  });

  test('that is given up keeps its earlier result, and the other files go on', async () => {
    const made = getBatch({ lanes: 1 });
    const first = made.batch.add([file('a'), file('b'), file('c')]);
    const started = made.batch.start(order('device'));
    for (const name of ['a', 'b', 'c']) await made.end(name);
    await started;
    const again = made.batch.rerun(order('device', ' larger'), [first, first + 1, first + 2]);
    await pause();
    made.batch.cancelRerun(first);
    made.batch.cancelRerun(first + 1);
    await pause();
    expect(made.phases()).toEqual(['done', 'done', 'running']);
    await made.end('c');
    await again;
    expect(made.phases()).toEqual(['done', 'done', 'done']);
    expect(made.begun.slice(3)).toEqual(['a device larger', 'c device larger']);
  });
});
