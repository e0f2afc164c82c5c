// @module-tag long

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLIENTS_VERSION as VERSION } from '../../server/ops/build/client-packages.ts';
import { writeWheel } from '../../server/ops/build/write-wheel.ts';
import { expectPhotoResults, writePhotos } from '../support/clients/photo-pipeline.ts';
import { installWheel } from '../support/clients/python-environment.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, '../../clients/python');

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
  expect(stderr).toMatch(/Ran \d\d tests[\s\S]*OK/);
});

it('runs the example of a pipeline over ten photos', async () => {
  const reader = join(folder, 'reader');
  await writePhotos(join(reader, 'photos'));
  const env = { ...process.env, DARKROOM_URL: service.url, DARKROOM_KEY: service.api.apiKey };
  const program = join(CLIENT, '../examples/py/pipeline.py');
  const { stdout } = await run(python, [program], { cwd: reader, env });
  expect(stdout.trim()).toBe('0.24');
  await expectPhotoResults(join(reader, 'results'));
});

it('passes mypy --strict, with the samples of the docs, and makes it refuse wrong params', async () => {
  const mypy = (file: string) =>
    run(python, ['-m', 'mypy', '--strict', '--python-version', '3.9', file], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (failed: { stdout: string }) => failed.stdout,
    );
  const source = join(import.meta.dirname, 'python/typed_use.py');
  const lines = (await readFile(source, 'utf8')).split('\n');
  const faults = [...(await mypy(source)).matchAll(/typed_use\.py:(\d+): error/g)];
  // An item of a batch has two shapes, and a line that suits neither has two faults.
  const refused = [...new Set(faults.map(([, line]) => Number(line)))];
  const first = lines.indexOf('def refused(client: Client) -> None:') + 2;
  expect(refused).toEqual(Array.from({ length: lines.length - first }, (_, at) => first + at));
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const page = await readFile(join(CLIENT, '../../app/docs/clients/page.tsx'), 'utf8');
  const samples = [
    ...[...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code = '']) => code),
    /const PYTHON = `([^`]*)`/.exec(page)?.[1] ?? '',
  ];
  expect(samples).toHaveLength(3);
  for (const [at, sample] of samples.entries()) {
    await writeFile(join(folder, `sample${at}.py`), sample);
    expect(await mypy(`sample${at}.py`)).toContain('Success');
  }
  const modules = await readdir(join(CLIENT, 'darkroom'));
  expect(modules).toContain('_client.py');
  expect(await mypy(join(CLIENT, 'darkroom'))).toContain('Success');
});
