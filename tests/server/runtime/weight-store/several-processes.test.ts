import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { WeightStore } from '../../../../server/runtime/weight-store/index.ts';
import { startWeightServer } from '../../../support/servers/weight-server.ts';
import { createWeightCard } from '../../../support/service/weight-files.ts';

const content = new Uint8Array(randomBytes(2_000_000));
const PROGRAM = 'tests/support/processes/read-weights-process.ts';

it('processes that need the same file at once download it once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'weights-'));
  const server = await startWeightServer(content);
  const card = JSON.stringify(createWeightCard(content, { url: server.url }));
  const run = () => promisify(execFile)(process.execPath, ['--import', 'tsx', PROGRAM, directory, card]);
  const results = await Promise.all([run(), run(), run()]);
  expect(results.map(({ stdout }) => stdout)).toEqual(['2000000', '2000000', '2000000']);
  expect(server.target.requests).toHaveLength(1);
  expect(await readdir(directory)).toEqual(['test-weights.onnx']);
  await server.target.stop();
  await rm(directory, { recursive: true });
});

it('the lock of a dead process blocks no process', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'weights-'));
  const server = await startWeightServer(content);
  const lock = join(directory, 'test-weights.onnx.lock');
  await writeFile(lock, 'a process that is gone');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  const store = new WeightStore({ directory, mirror: null, isOffline: false });
  const card = createWeightCard(content, { url: server.url });
  expect((await store.read(card, { signal: new AbortController().signal })).length).toBe(content.length);
  expect(await readdir(directory)).toEqual(['test-weights.onnx']);
  await server.target.stop();
  await rm(directory, { recursive: true });
});
