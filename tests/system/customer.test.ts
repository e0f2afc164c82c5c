// @module-tag long

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import {
  type Account,
  type ApiClient,
  createApiClient,
  type Service,
  startService,
} from '../../lab/support/service.ts';
import { installWheel } from '../support/clients/python-environment.ts';
import { downloadPackages, installPackage } from '../support/clients/served-packages.ts';
import { startBucket } from '../support/servers/bucket.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { drawRedBall } from '../support/service/api.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const EMAIL = 'customer@example.com';

let service: Service;
let account: Account;
let api: ApiClient;
let files: FileServer;
let hooks: WebhookReceiver;
/** Empty project with the packages that the service offers. */
let project: string;
let python: string;
beforeAll(async () => {
  files = await serveFiles({
    '/photo.png': await drawRedBall(),
    '/note.txt': Buffer.from('not an image'),
  });
  hooks = await startWebhookReceiver();
  service = await startService({ MODELS_OFFLINE: '1' });
  account = await service.account(EMAIL, '5');
  api = createApiClient(service.url, account.api_key);
  project = await mkdtemp(join(tmpdir(), 'darkroom-customer-'));
  await writeFile(join(project, 'photo.png'), await drawRedBall());
  const { npm, wheel } = await downloadPackages(service.url, project);
  await installPackage(project, npm);
  python = await installWheel(project, wheel);
});
afterAll(async () => {
  await Promise.all([service?.stop(), files?.close(), hooks?.close()]);
  await rm(project, { recursive: true, force: true });
});

/** Runs a program in the project, with the service and the key in its environment. */
async function runHere(file: string, args: readonly string[], apiKey = account.api_key) {
  const env = { ...process.env, DARKROOM_URL: service.url, DARKROOM_KEY: apiKey, XDG_CONFIG_HOME: project };
  return await run(file, [...args], { cwd: project, env });
}

const command = (...args: string[]) => runHere(join(project, 'node_modules/.bin/darkroom'), args);
const image = () => ({ image_url: `${files.url}/photo.png`, to_format: 'webp' });
const getFormat = async (path: string) => (await sharp(join(project, path)).metadata()).format;

/** Posts JSON to a path of the API. */
async function post(path: string, body: object, headers: Record<string, string>) {
  const response = await fetch(`${service.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

it('a job repeats reference and metadata in status, list and webhook', async () => {
  const labels = { reference: 'order 17', metadata: { customer: 'ACME' } };
  const before = hooks.received.length;
  const { body } = await api.convert({ ...image(), ...labels }, { 'x-webhook-url': hooks.url });
  expect(await api.ended(body.request_id)).toMatchObject({ status: 'COMPLETED', ...labels });
  await hooks.until(before + 1);
  expect(JSON.parse(hooks.received.at(-1)?.body ?? '')).toMatchObject(labels);
  const query = new URLSearchParams({ reference: 'order 17', 'metadata[customer]': 'ACME' });
  const { body: list } = await api.get(`/api/v2/requests?${query}`);
  expect(list.requests).toMatchObject([{ request_id: body.request_id, ...labels }]);
});

it('a test key gets results for nothing, and forces failures', async () => {
  const args = ['create', '--email', EMAIL, '--name', 'trial', '--test'];
  const script = ['--import', 'tsx', join(ROOT, 'scripts/keys.ts'), ...args];
  const { stdout } = await run(process.execPath, script, { cwd: ROOT, env: service.env });
  const { api_key: testKey } = JSON.parse(stdout);
  expect(testKey).toMatch(/^mk_test_/);
  const trial = createApiClient(service.url, testKey);
  const { body } = await trial.convert(image());
  expect(await trial.ended(body.request_id)).toMatchObject({
    status: 'COMPLETED',
    test: true,
    billing: { charged_usd: '0.00' },
  });
  expect((await api.get(`/api/v2/requests/status/${body.request_id}`)).status).toBe(404);
  const forced = { ...image(), image_url: 'https://test.invalid/failed' };
  const { body: failing } = await trial.convert(forced);
  expect(await trial.ended(failing.request_id)).toMatchObject({ status: 'FAILED' });
  expect((await api.convert(forced)).status).toBe(400);
});

it('a result goes to the customer’s bucket alone', async () => {
  const bucket = await startBucket();
  const { body } = await api.convert({ ...image(), output_urls: [bucket.presign()], store: false });
  expect(await api.ended(body.request_id)).toMatchObject({
    status: 'COMPLETED',
    output_delivery: [{ status: 'delivered' }],
    output: { media_url: [expect.not.stringContaining('/cdn/')] },
  });
  expect((await sharp(bucket.received[0]?.body).metadata()).format).toBe('webp');
  await bucket.close();
});

it('the packages of the service run jobs from an empty project, in TypeScript, Python and the shell', async () => {
  const typescript = `
    import { createClient } from '@darkroom/client';
    import { openFile } from '@darkroom/client/node';
    const { DARKROOM_URL: origin, DARKROOM_KEY: apiKey } = process.env;
    const client = createClient({ origin, apiKey });
    const job = await client.run('media-convert-image', await openFile('photo.png'), { to_format: 'gif' });
    console.log(job.status, (await client.download(job.output.media_url[0])).status);`;
  const script = ['--input-type=module', '-e', typescript];
  expect((await runHere(process.execPath, script)).stdout).toBe('COMPLETED 200\n');
  const program = `
import os
from darkroom import Client
with Client(origin=os.environ["DARKROOM_URL"], api_key=os.environ["DARKROOM_KEY"]) as client:
    job = client.run("media-convert-image", "photo.png", {"to_format": "avif"})
    client.download(job["output"]["media_url"][0], "photo.avif")
    print(job["status"])`;
  expect((await runHere(python, ['-c', program])).stdout).toBe('COMPLETED\n');
  expect(await getFormat('photo.avif')).toBe('heif');
  await command('convert', 'photo.png', '--to', 'jpg');
  expect(await getFormat('photo.jpg')).toBe('jpeg');
  expect((await command('--version')).stdout).toMatch(/^darkroom \d/);
});

it('a batch charges its successes alone, and sends one webhook', async () => {
  const before = hooks.received.length;
  const items = ['photo.png', 'note.txt'].map((name) => ({ image_url: `${files.url}/${name}` }));
  const key = { 'ocp-apim-subscription-key': account.api_key, 'x-webhook-url': hooks.url };
  const path = '/media-tools/v1/image-convert/batch';
  const { status, body } = await post(path, { items, to_format: 'gif' }, key);
  expect(status).toBe(202);
  const job = await api.ended(body.request_id);
  expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
  expect(job.output.items).toMatchObject([{ status: 'success' }, { status: 'failed' }]);
  await hooks.until(before + 1);
  expect(JSON.parse(hooks.received.at(-1)?.body ?? '')).toEqual(job);
});

it('a cap on the account refuses further requests, and the owner is told by mail', async () => {
  const args = ['--email', 'capped@example.com', '--credit-usd', '5', '--account-cap-usd', '0.003'];
  const script = ['--import', 'tsx', join(ROOT, 'scripts/account.ts'), ...args];
  const { stdout } = await run(process.execPath, script, { cwd: ROOT, env: service.env });
  const capped = createApiClient(service.url, JSON.parse(stdout).api_key);
  const { body } = await capped.convert(image());
  expect(await capped.ended(body.request_id)).toMatchObject({ status: 'COMPLETED' });
  const refused = await capped.convert(image());
  expect([refused.status, refused.body.message]).toEqual([402, expect.stringMatching(/\bcap\b/)]);
  await expect.poll(() => service.output()).toContain('50 % of your monthly cap is spent');
});

it('every path takes the key in either header', async () => {
  const headers = [
    { authorization: `Bearer ${account.api_key}` },
    { 'ocp-apim-subscription-key': account.api_key },
  ];
  for (const header of headers) {
    expect((await post('/media-tools/v1/image-convert', image(), header)).status).toBe(202);
    const asked = { model_id: 'remove-bg', request: { image_url: `${files.url}/photo.png` } };
    expect((await post('/v2/quotes', asked, header)).body).toMatchObject({ price_usd: '0.01' });
    const cutout = { image_url: `${files.url}/photo.png` };
    const later = { ...header, prefer: 'respond-async' };
    expect((await post('/v1/remove-bg', cutout, later)).body).toHaveProperty('request_id');
  }
});

it('a workstation of the account runs what the command leaves to it, at no charge', async () => {
  const worker = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts/darkroom.ts'), 'worker'], {
    cwd: ROOT,
    env: {
      ...process.env,
      DARKROOM_URL: service.url,
      DARKROOM_KEY: account.api_key,
      DATA_DIR: join(project, 'data'),
      MODELS_OFFLINE: '1',
    },
    stdio: 'ignore',
  });
  const ended = once(worker, 'exit');
  const { stdout } = await command('convert', 'photo.png', '--to', 'tiff', '--run-on', 'own', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', charged_usd: '0.00' });
  expect(await getFormat('photo.tiff')).toBe('tiff');
  worker.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
});

it('a receipt is verified by the installed command, without the service', async () => {
  const { body } = await api.convert(image());
  const job = await api.ended(body.request_id);
  const result = await fetch(job.output.media_url[0]);
  await writeFile(join(project, 'result.webp'), Buffer.from(await result.arrayBuffer()));
  await writeFile(join(project, 'job.json'), JSON.stringify(job));
  const keys = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
  await writeFile(join(project, 'jwks.json'), keys);
  const verified = await command('verify', 'job.json', 'result.webp', '--keys', 'jwks.json');
  expect(verified.stdout).toContain(`of ${body.request_id}`);
  await writeFile(join(project, 'other.webp'), await readFile(join(project, 'photo.jpg')));
  const forged = command('verify', 'job.json', 'other.webp', '--keys', 'jwks.json');
  await expect(forged).rejects.toMatchObject({ code: 1 });
});
