// @module-tag long

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../../lab/support/service.ts';
import { missingPrograms } from '../support/clients/example-programs.ts';
import { startApi, type TestApi } from '../support/service/api.ts';
import { respondHttp } from '../support/service/respond-http.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const README = await readFile(join(ROOT, 'README.md'), 'utf8');
const BLOCKS = [...README.matchAll(/\*\*([^*]+)\*\*[^`]*(?:`[^`]+`[^`]*)?```sh\n(curl [^`]*)```/g)].map(
  ([, title = '', code = '']) => [title, code] as const,
);
const UPLOAD = /```sh\n(upload\(\) \{[^`]*)```/.exec(README)?.[1] ?? '';
const EXAMPLES = BLOCKS.filter(([, code]) => !code.includes('REQUEST_ID'));

let origin: string;
let api: TestApi;
let server: Server;
beforeAll(async () => {
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  api = await startApi({ PUBLIC_URL: origin, MODELS_OFFLINE: '1' }, '5');
  server = createServer((incoming, outgoing) => {
    respondHttp(api.ctx, incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  await api.startRunner();
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await api?.close();
});

async function run(code: string) {
  const script = [UPLOAD, code].join('\n').replaceAll('http://localhost:3000', origin);
  const env = { ...process.env, KEY: api.apiKey };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: ROOT, env });
  return JSON.parse(stdout);
}

it('README has an example of each operation, and of the job', () => {
  expect(EXAMPLES).toHaveLength(9);
  expect(BLOCKS).toHaveLength(10);
});

it.each(EXAMPLES)('README: "%s" runs without the internet', async (_title, code) => {
  expect(missingPrograms('sh')).toEqual([]);
  const body = await run(code);
  expect(body).not.toHaveProperty('error');
  if (!('polling_url' in body)) return;
  const job = await api.ended(body.request_id);
  expect([job.status, job.error]).toEqual(['COMPLETED', null]);
  const [, read = ''] = BLOCKS.find(([, other]) => other.includes('REQUEST_ID')) ?? [];
  expect(await run(read.replace('REQUEST_ID', body.request_id))).toMatchObject({ status: 'COMPLETED' });
});
