import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebProcess, type WebProcess } from '../support/processes/web-process.ts';

const run = promisify(execFile);

let service: WebProcess;
let folder: string;
beforeAll(async () => {
  service = await startWebProcess();
  folder = await mkdtemp(join(tmpdir(), 'darkroom-clients-'));
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('the docs offer one package for npm and one for pip, and the first installs without a network', async () => {
  const html = await (await fetch(`${service.url}/docs/clients`)).text();
  const links = [...html.matchAll(/href="(\/docs\/clients\/[^"]+\.(?:tgz|whl))"/g)].map(
    ([, path = '']) => path,
  );
  const packages = [...new Set(links)].toSorted();
  expect(packages).toEqual([expect.stringMatching(/\.whl$/), expect.stringMatching(/\.tgz$/)]);
  for (const path of packages) {
    const response = await fetch(service.url + path);
    expect(response.status).toBe(200);
    await writeFile(join(folder, path.split('/').at(-1) ?? ''), Buffer.from(await response.arrayBuffer()));
  }
  await writeFile(join(folder, 'package.json'), '{"name":"empty","type":"module"}');
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const isolated = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...isolated, `./${archive}`], { cwd: folder });
  const { stdout } = await run('npx', ['--offline', 'darkroom', '--version'], { cwd: folder });
  expect(stdout).toMatch(/^darkroom \d+\.\d+\.\d+\n$/);
});

it('the endpoint of agents asks for a key, beside the pages', async () => {
  const refused = await fetch(`${service.url}/mcp`, { method: 'POST', body: '{}' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const read = await fetch(`${service.url}/mcp`);
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
});
