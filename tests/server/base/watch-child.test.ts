import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { wasStuck } from '../../../server/base/children/watch-child.ts';

const MODULE = new URL('../../../server/base/children/watch-child.ts', import.meta.url).href;

/** Runs code in a process that may use half a second without progress. */
async function runWatched(code: string) {
  const watched = `import { watchChild } from '${MODULE}'; const { noteProgress } = watchChild(0.5);
    const spin = (ms) => { for (const start = performance.now(); performance.now() - start < ms; ) Math.sqrt(2); };
    ${code}
    process.exit();`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', watched], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { signal, isStuck: wasStuck(stderr) };
}

describe('a process ends when its main thread', () => {
  test('computes for long without progress', async () => {
    expect(await runWatched('spin(600_000);')).toEqual({ signal: 'SIGKILL', isStuck: true });
  });

  test('never returns to its event loop, whatever it awaits', { tags: ['long'] }, async () => {
    const code = 'for (;;) await Promise.resolve();';
    expect(await runWatched(code)).toEqual({ signal: 'SIGKILL', isStuck: true });
  });
});

describe('a process goes on when its main thread', () => {
  const fine = { signal: null, isStuck: false };

  test('reports progress', async () => {
    expect(await runWatched('for (let turn = 0; turn < 24; turn++) { spin(50); noteProgress(); }')).toEqual(
      fine,
    );
  });

  test('returns to its event loop', { tags: ['long'] }, async () => {
    const code = `const { setTimeout: wait } = await import('node:timers/promises');
      for (let turn = 0; turn < 5; turn++) { spin(250); await wait(1); }`;
    expect(await runWatched(code)).toEqual(fine);
  });

  test('waits', async () => {
    const code = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);';
    expect(await runWatched(code)).toEqual(fine);
  });
});
