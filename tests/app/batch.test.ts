import { describe, expect, test } from 'vitest';
import { Batch, type Order, type RunFile } from '../../app/(studio)/frame/batch.ts';
import { OperationError } from '../../models/errors.ts';

const order = (where: Order['where'], mark = ''): Order => ({ where, paramsFor: () => ({ mark }) });
const file = (name: string) => new File([name], name);
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A batch whose runs end when they are told to. */
function batchOf({ lanes }: { lanes: number }) {
  const begun: string[] = [];
  const ends = new Map<string, { done(): void; fail(error: Error): void }>();
  const run: RunFile = ({ name }, { where, paramsFor }, { signal }) => {
    begun.push(`${name} ${where}${(paramsFor(file(name)) as { mark: string }).mark}`);
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
  test('works on files that join it under their own order', async () => {
    const { batch, begun, phases, end } = batchOf({ lanes: 1 });
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

  test('leaves alone what is added while only some of its files are worked on', async () => {
    const { batch, begun, phases, end } = batchOf({ lanes: 1 });
    const started = batch.start(order('server'), [batch.add([file('sent')])]);
    batch.add([file('added')]);
    await end('sent');
    await started;
    expect([begun, phases()]).toEqual([['sent server'], ['done', 'waiting']]);
  });

  test('takes along what is added while all are worked on', async () => {
    const { batch, begun, end } = batchOf({ lanes: 1 });
    batch.add([file('first')]);
    const started = batch.start(order('device'));
    batch.add([file('second')]);
    await end('first');
    await end('second');
    await started;
    expect(begun).toEqual(['first device', 'second device']);
  });

  test('uses every lane for what joins it', async () => {
    const { batch, begun, end } = batchOf({ lanes: 3 });
    const started = batch.start(order('device'), [batch.add([file('a')])]);
    await pause();
    const second = batch.add([file('b'), file('c'), file('d')]);
    void batch.start(order('device'), [second, second + 1, second + 2]);
    expect(begun).toEqual(['a device', 'b device', 'c device']);
    for (const name of ['a', 'b', 'c', 'd']) await end(name);
    await started;
    expect(batch.view().isRunning).toBe(false);
  });

  test('lets everything wait again that was not done when it is cancelled, and can be started again', async () => {
    const { batch, begun, phases, end } = batchOf({ lanes: 1 });
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

  test('tries what failed again, and only when it is asked to', async () => {
    const { batch, begun, phases, end } = batchOf({ lanes: 1 });
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

describe('a file that is worked on anew', () => {
  async function oneDone() {
    const made = batchOf({ lanes: 1 });
    const id = made.batch.add([file('a'), file('other')]);
    const started = made.batch.start(order('device'));
    await made.end('a');
    await made.end('other');
    await started;
    const again = made.batch.again(order('device', ' larger'), id);
    await pause();
    return { ...made, again };
  }

  test('is the only one', async () => {
    const { begun, phases, end, again } = await oneDone();
    expect(phases()).toEqual(['running', 'done']);
    await end('a');
    await again;
    expect(begun).toEqual(['a device', 'other device', 'a device larger']);
    expect(phases()).toEqual(['done', 'done']);
  });

  test('has its result still when that is cancelled', async () => {
    const { batch, phases, again } = await oneDone();
    batch.cancel();
    await again;
    expect(phases()).toEqual(['done', 'done']);
  });

  test('has its result still when that fails, and says why', async () => {
    const { batch, end, again } = await oneDone();
    await end('a', new OperationError('unavailable', 'The weights cannot be had.'));
    await again;
    expect(batch.view().items[0]?.state).toMatchObject({
      phase: 'done',
      laterFailure: 'The weights cannot be had.',
    });
  });
});
