import { expect, test } from 'vitest';
import type { BatchItem, RunFile, RunRequest } from '../../../app/studio/runs/batch.ts';
import { AutoStart } from '../../../app/studio/runs/live-run.ts';
import { Batch } from '../../../app/studio/runs/run-batch.ts';

const order = (model: string): RunRequest => ({ location: 'device', paramsFor: () => ({ model }) });
const file = (name: string) => new File([name], name);
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
const isWaiting = ({ state }: BatchItem) => state.phase === 'waiting';
const isWaitingOrDone = (item: BatchItem) => isWaiting(item) || item.state.phase === 'done';

/** Creates a batch with one finished file, and starts whose decisions are held until released. */
async function finished() {
  const begun: string[] = [];
  const run: RunFile = async ({ name }, { paramsFor }) => {
    begun.push(`${name} ${(paramsFor(file(name)) as { model: string }).model}`);
    return { files: [], warnings: [] };
  };
  const batch = new Batch(run, 1);
  batch.add([file('first')]);
  await batch.start(order('small'));
  begun.length = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const autoStart = new AutoStart(batch, (items) => released.then(() => items));
  return { batch, begun, autoStart, release };
}

test('a file that is added while a check with another model is pending does not cancel it', async () => {
  const { batch, begun, autoStart, release } = await finished();
  autoStart.dropPending();
  const renewed = autoStart.start(order('large'), isWaitingOrDone);
  batch.add([file('added')]);
  const added = autoStart.start(order('large'), isWaiting);
  release();
  await Promise.all([renewed, added]);
  await pause();
  expect(begun.toSorted()).toEqual(['added large', 'first large']);
});

test('other settings replace a pending start, and no file runs with both', async () => {
  const { begun, autoStart, release } = await finished();
  const small = autoStart.start(order('small'), isWaitingOrDone);
  autoStart.dropPending();
  const large = autoStart.start(order('large'), isWaitingOrDone);
  release();
  await Promise.all([small, large]);
  await pause();
  expect(begun).toEqual(['first large']);
});
