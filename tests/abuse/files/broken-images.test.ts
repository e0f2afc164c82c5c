// @module-tag long

import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

const FAILURES = 100;
let api: TestApi;
let files: FileServer;

beforeEach(async () => {
  api = await startApi({ FAILURES_PER_HOUR: String(FAILURES) });
  files = await serveFiles({ '/broken.png': brokenPng() });
});
afterEach(async () => {
  await api.close();
  await files.close();
});

/** Returns an image of 8 x 8 pixels by its header, whose pixels cannot be inflated. */
function brokenPng(): Buffer<ArrayBuffer> {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc', 'hex');
  const data = Buffer.from('0000000a49444154deadbeefdeadbeefdead00000000', 'hex');
  return Buffer.concat([header, data]).subarray(0, 64);
}

/** Returns the processes that this one has started. */
async function children(): Promise<string[]> {
  const threads = await readdir('/proc/self/task');
  const lists = threads.map((thread) =>
    readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => ''),
  );
  return (await Promise.all(lists))
    .flatMap((list) => list.split(' '))
    .filter(Boolean)
    .toSorted();
}

const convert = (path: string, headers?: Record<string, string>) =>
  api.convert({ image_url: files.url + path, to_format: 'jpg' }, headers);

test('broken images cost no new process each, and too many of them are refused for a while', async () => {
  await api.startRunner();
  const fail = async () => {
    const { status, body } = await convert('/broken.png');
    expect(status).toBe(202);
    expect(await api.ended(body.request_id)).toMatchObject({
      status: 'FAILED',
      billing: { charged_usd: '0.00' },
    });
  };
  await fail();
  const before = await children();
  for (let i = 0; i < 3; i++) await fail();
  expect((await children()).filter((pid) => !before.includes(pid))).toEqual([]);

  // A run counts once for each started 10 s: how often depends on the machine.
  const spent = async () => {
    const [row] = await api.ctx.db.execute<{ spent: number }>('select spent from failure_budgets');
    return row?.spent;
  };
  expect(await spent()).toBeGreaterThan(3);
  await api.ctx.db.execute(`update failure_budgets set spent = ${FAILURES - 2}`);
  await fail();
  expect(await spent()).toBeGreaterThan(FAILURES - 2);
  await api.ctx.db.execute(`update failure_budgets set spent = ${FAILURES}, updated_at = now()`);

  const refused = await convert('/broken.png', { 'idempotency-key': 'later' });
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual(
    problemBody('Too Many Requests', expect.stringContaining('failed by their inputs')),
  );
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(3600 / FAILURES);
  // A batch fails in the same way.
  expect((await api.removeBgBatch({ items: [{ image_url: `${files.url}/broken.png` }] })).status).toBe(429);

  // As much later; the key of the refused request is still free.
  await api.ctx.db.execute(
    `update failure_budgets set updated_at = updated_at - interval '${seconds} seconds'`,
  );
  expect((await convert('/broken.png', { 'idempotency-key': 'later' })).status).toBe(202);
});
