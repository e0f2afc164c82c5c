import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { holdWorkers } from '../../workers/runtime/hold-workers.ts';

class Thread {
  readonly url: string | URL;

  constructor(url: string | URL) {
    this.url = url;
  }

  terminate(): void {}
}

it('a worker that nothing refers to stays until it is terminated', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const scope = { Worker: Thread };
  holdWorkers(scope);
  const started = new WeakRef(new scope.Worker('thread.js'));
  await collectAll(collect);
  expect(started.deref()).toBeDefined();
  started.deref()?.terminate();
  await collectAll(collect);
  expect(started.deref()).toBeUndefined();
});

/** A reference that was read stays until the end of its task. */
async function collectAll(collect: () => void): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  collect();
}
