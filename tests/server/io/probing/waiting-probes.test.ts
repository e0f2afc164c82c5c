import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createProber } from '../../../../server/io/probing/index.ts';

const module = new URL('../../../support/operations/hostile-probes.ts', import.meta.url);
/** Processes for links, of which there are the fewest. */
const CHILDREN = 2;

let directory: string;
let path: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'probes-'));
  path = join(directory, 'file');
  await writeFile(path, 'nothing known');
});
afterAll(() => rm(directory, { recursive: true }));

it('a probe starts when a process is free: the wait for those of others does not count', async () => {
  const prober = createProber({ operationsModule: fileURLToPath(module) });
  const leaving = new AbortController();
  const ask = (owner: string) => {
    const onStart = vi.fn();
    const options = { owner, onStart, isLink: true, signal: leaving.signal, log: pino({ level: 'silent' }) };
    const end = prober.probe({ path, media: ['image'] }, options).catch(() => {});
    return { onStart, end };
  };
  const probes = Array.from({ length: CHILDREN + 1 }, (_, at) => ask(`account ${at}`));
  // Without a file to read first, all that can start has started by now: children need a hundred times longer to
  // response.
  await setImmediate();
  leaving.abort();
  await Promise.all(probes.map(({ end }) => end));
  expect(probes.map(({ onStart }) => onStart.mock.calls.length)).toEqual([1, 1, 0]);
});

it('a probe that is ended leaves no folder', async () => {
  const temporary = await mkdtemp(join(directory, 'temporary-'));
  vi.stubEnv('TMPDIR', temporary);
  const prober = createProber({ operationsModule: fileURLToPath(module) });
  const keeping = join(directory, 'keeping');
  await writeFile(keeping, 'keep');
  const leaving = new AbortController();
  const options = { owner: 'account', signal: leaving.signal, log: pino({ level: 'silent' }) };
  const probe = prober.probe({ operationId: 'test-probe', path: keeping, media: ['image'] }, options);
  const end = probe.catch(() => {});
  const list = () => readdir(temporary);
  await expect.poll(list, { timeout: 60_000 }).toHaveLength(1);
  leaving.abort();
  await end;
  await expect.poll(list, { timeout: 10_000 }).toEqual([]);
  vi.unstubAllEnvs();
});
