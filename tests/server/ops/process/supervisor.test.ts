// @module-tag long

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../../../server/base/log.ts';
import { type SupervisedPart, stopInOrder, supervise } from '../../../../server/ops/process/supervisor.ts';

const { execPath } = process;
const log = createLogger('silent', 'test');
let directory: string;
let module: string;
let part: SupervisedPart | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'supervisor-'));
  module = join(directory, 'part.mjs');
  await writeFile(module, "process.send('ready'); process.on('disconnect', () => process.exit());");
});
afterEach(async () => {
  process.execPath = execPath;
  vi.restoreAllMocks();
  await part?.stop(10_000);
  part = undefined;
  await rm(directory, { recursive: true });
});

const start = () => supervise('part', module, process.env, log);

describe('a part whose process cannot be started', () => {
  test('is started repeatedly until it can', async () => {
    const errors = vi.spyOn(log, 'error');
    process.execPath = join(directory, 'no-such-program');
    part = start();
    await expect.poll(() => errors.mock.calls.length).toBeGreaterThan(1);
    process.execPath = execPath;
    await part.ready;
  });

  test('can be stopped', async () => {
    process.execPath = join(directory, 'no-such-program');
    await start().stop(10_000);
  });
});

test('the runner is asked to stop once the web process has ended', async () => {
  const events = join(directory, 'events');
  const startPart = async (name: string, drainMs: number): Promise<SupervisedPart> => {
    const program = join(directory, `${name}.mjs`);
    await writeFile(
      program,
      `import { appendFileSync } from 'node:fs';
      const note = (event) => appendFileSync(${JSON.stringify(events)}, '${name} ' + event + '\\n');
      process.on('SIGTERM', () => {
        note('is asked to stop');
        setTimeout(() => (note('ends'), process.exit()), ${drainMs});
      });
      process.on('disconnect', () => process.exit());
      process.send('ready');`,
    );
    return supervise(name, program, process.env, log);
  };
  const [web, runner] = [await startPart('web', 500), await startPart('runner', 0)];
  await Promise.all([web.ready, runner.ready]);
  await stopInOrder([
    { part: web, graceMs: 10_000 },
    { part: runner, graceMs: 10_000 },
  ]);
  expect((await readFile(events, 'utf8')).trim().split('\n')).toEqual([
    'web is asked to stop',
    'web ends',
    'runner is asked to stop',
    'runner ends',
  ]);
});

test('a part that exits is restarted', async () => {
  await writeFile(
    module,
    `import { existsSync, writeFileSync } from 'node:fs';
    const mark = ${JSON.stringify(join(directory, 'mark'))};
    if (!existsSync(mark)) { writeFileSync(mark, ''); process.exit(1); }
    process.send('ready'); process.on('disconnect', () => process.exit());`,
  );
  part = start();
  await part.ready;
});

test('a part that refuses to start gives its reason, and is not restarted', async () => {
  const restarts = vi.spyOn(log, 'warn');
  await writeFile(module, "process.send({ refusal: 'too old' }, () => process.exit(1));");
  part = start();
  await expect(part.ready).rejects.toThrow('too old');
  await part.stop(10_000);
  expect(restarts).not.toHaveBeenCalled();
});

test('a part that hangs while it starts is replaced', async () => {
  await writeFile(
    module,
    `import { existsSync, writeFileSync } from 'node:fs';
    process.on('disconnect', () => process.exit());
    const mark = ${JSON.stringify(join(directory, 'mark'))};
    if (existsSync(mark)) process.send('ready');
    writeFileSync(mark, '');`,
  );
  part = supervise('part', module, process.env, log, {
    everyMs: 100,
    missesMax: 1000,
    startMissesMax: 100,
    graceMs: 200,
  });
  await part.ready;
});

describe('a part that no longer responds', () => {
  const health = { everyMs: 200, missesMax: 10, startMissesMax: 600, graceMs: 200 };
  /** Module that does something once it is ready, but not again after its restart. */
  const onFirstStart = (action: string): Promise<void> =>
    writeFile(
      module,
      `import { existsSync, openSync, writeFileSync } from 'node:fs';
      import { reportReady } from ${JSON.stringify(resolve('server/ops/process/lifecycle.ts'))};
      process.on('disconnect', () => process.exit());
      const mark = ${JSON.stringify(join(directory, 'mark'))};
      const isFirst = !existsSync(mark);
      writeFileSync(mark, '');
      process.once('message', () => { if (isFirst) { ${action} } });
      reportReady();`,
    );
  /** Supervises the module, and returns a function that reports how its first process ended. */
  const startWatched = (): (() => unknown) => {
    const env = { ...process.env, NODE_OPTIONS: '--import tsx' };
    const warnings = vi.spyOn(log, 'warn');
    part = supervise('part', module, env, log, health);
    return () => warnings.mock.calls[0]?.[0];
  };

  test('is ended by force where nothing else helps, and started again', async () => {
    await onFirstStart("process.on('SIGTERM', () => {}); for (;;);");
    const end = startWatched();
    await expect.poll(end).toMatchObject({ signal: 'SIGKILL' });
  });

  test('is asked to end where it still can: one without file descriptors, say', async () => {
    await onFirstStart('try { for (;;) openSync(mark); } catch {}');
    const end = startWatched();
    await expect.poll(end).toMatchObject({ signal: 'SIGTERM' });
  });

  test('stays when it was only busy for a while', async () => {
    await onFirstStart(`for (const endMs = Date.now() + ${5 * health.everyMs}; Date.now() < endMs;);
      setTimeout(() => process.exit(7), ${2 * health.missesMax * health.everyMs});`);
    const end = startWatched();
    await expect.poll(end).toMatchObject({ code: 7 });
  });
});
