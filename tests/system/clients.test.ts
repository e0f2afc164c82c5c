import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { downloadPackages, installPackage } from '../support/clients/served-packages.ts';
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
  const { npm } = await downloadPackages(service.url, folder);
  await installPackage(folder, npm);
  const { stdout } = await run('npx', ['--offline', 'darkroom', '--version'], { cwd: folder });
  expect(stdout).toMatch(/^darkroom \d+\.\d+\.\d+\n$/);
});

it('the endpoint of agents asks for a key, next to the pages', async () => {
  const refused = await fetch(`${service.url}/mcp`, { method: 'POST', body: '{}' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const read = await fetch(`${service.url}/mcp`);
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
});
