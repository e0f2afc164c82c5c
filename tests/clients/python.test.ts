// @module-tag long

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProjectVersion } from '../../server/ops/build/clients/client-packages.ts';
import { writeWheel } from '../../server/ops/build/clients/write-wheel.ts';
import { installWheel } from '../support/clients/python-environment.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, '../../clients/python');
const VERSION = readProjectVersion(join(CLIENT, '../..'));

let service: LoopbackService;
let folder: string;
/** Python of an environment that has the wheel and httpx alone. */
let python: string;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
  folder = await mkdtemp(join(tmpdir(), 'darkroom-python-'));
  const wheel = join(folder, `darkroom-${VERSION}-py3-none-any.whl`);
  await writeWheel(CLIENT, VERSION, wheel);
  await writeFile(join(folder, 'photo.png'), await drawRedBall());
  python = await installWheel(folder, wheel);
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('installs with its types, its version and no other need than httpx', async () => {
  const program = `
import importlib.metadata, importlib.resources, darkroom
print(importlib.metadata.version('darkroom'), importlib.metadata.requires('darkroom'))
print(importlib.resources.files('darkroom').joinpath('py.typed').is_file(), darkroom.__file__)`;
  const { stdout } = await run(python, ['-c', program], { cwd: folder });
  expect(stdout).toContain(`${VERSION} ['httpx >=0.23']`);
  expect(stdout).toContain(`True ${folder}`);
});

it('works sync and async against the service', async () => {
  const env = {
    ...process.env,
    DARKROOM_URL: service.url,
    DARKROOM_KEY: service.api.apiKey,
    PHOTO: join(folder, 'photo.png'),
  };
  const program = join(import.meta.dirname, 'python/client_test.py');
  const { stderr } = await run(python, ['-W', 'error::ResourceWarning', program], { cwd: folder, env }).catch(
    (failed: { stderr?: string; message: string }) => {
      throw new Error(failed.stderr ?? failed.message);
    },
  );
  expect(stderr).toMatch(/Ran 12 tests[\s\S]*OK/);
});
