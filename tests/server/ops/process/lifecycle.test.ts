import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openAliveFile } from '../../../../server/ops/process/lifecycle.ts';

const folder = mkdtempSync(join(tmpdir(), 'darkroom-alive-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the file that a killed runner has left tells nothing of the next one, until that one works', () => {
  const path = join(folder, 'runner.alive');
  writeFileSync(path, '');
  const alive = openAliveFile(path);
  expect(existsSync(path)).toBe(false);
  alive.begin();
  expect(existsSync(path)).toBe(true);
  alive.end();
  expect(existsSync(path)).toBe(false);
});

test.each([
  ['that is told to', [], (child: ChildProcess) => child.kill()],
  ['whose parent goes', [], (child: ChildProcess) => child.disconnect()],
  ['whose parent has gone before', ['late'], (child: ChildProcess) => child.disconnect()],
])('a process %s stops before it is ready, its last step first', async (_, args, stop) => {
  const module = fileURLToPath(new URL('../../../support/processes/starting-process.ts', import.meta.url));
  const child = fork(module, args, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = child.stdout?.setEncoding('utf8').toArray();
  const ended = once(child, 'exit');
  await once(child, 'message');
  stop(child);
  expect(await ended).toEqual([0, null]);
  expect((await printed)?.join('')).toBe('last\nfirst\n');
});
