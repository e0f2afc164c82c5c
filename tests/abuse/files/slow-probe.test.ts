// @module-tag long

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { handleApi } from '../../../server/api/api.ts';
import type { Context } from '../../../server/base/context.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { createProber } from '../../../server/io/probing/index.ts';
import { topUp } from '../../../server/money/wallet/index.ts';
import { OPERATIONS } from '../../support/operations/hostile-probes.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const module = new URL('../../support/operations/hostile-probes.ts', import.meta.url);

let api: TestApi;
let files: FileServer;
let otherKey: string;
beforeAll(async () => {
  api = await startApi({}, '1', { operations: OPERATIONS, module });
  files = await serveFiles(
    Object.fromEntries(
      ['spin', 'hog ', 'bad ', 'bug ', 'fine'].map((name) => [`/${name.trim()}`, Buffer.from(name)]),
    ),
  );
  const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
  await topUp(api.ctx.db, { accountId, amount: 1_000_000n, idempotencyKey: 'other', reference: 'test' });
  otherKey = (await issueKey(api.ctx.db, { accountId, name: 'other' })).apiKey;
});
afterAll(async () => {
  await files.close();
  await api.close();
});

function contextFor(timeoutMs: number): Context {
  return { ...api.ctx, prober: createProber({ operationsModule: fileURLToPath(module), timeoutMs }) };
}

async function probe(ctx: Context, file: string, apiKey = api.apiKey, signal: AbortSignal | null = null) {
  const request = new Request(`${ctx.env.PUBLIC_URL}/api/test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ image_url: `${files.url}/${file}` }),
    signal,
  });
  const response = await handleApi(ctx, request);
  return { status: response.status, message: JSON.parse(await response.text()).message };
}

describe('a file whose probe does not end', () => {
  it('delays no request of another account', async () => {
    const ctx = contextFor(600_000);
    const leaving = new AbortController();
    const stuck = probe(ctx, 'spin', api.apiKey, leaving.signal);
    expect(await probe(ctx, 'fine', otherKey)).toMatchObject({ status: 202 });
    leaving.abort();
    await stuck;
    expect(await probe(ctx, 'fine')).toMatchObject({ status: 202 });
  });

  it('gets 400 that names the field', async () => {
    const message = 'image_url: The file takes too long to read. Export it again.';
    expect(await probe(contextFor(200), 'spin')).toEqual({ status: 400, message });
  });
});

it('a file whose probe takes all memory gets 400, and this process lives', async () => {
  const ctx = contextFor(600_000);
  const message = 'image_url: The file takes too much memory to read. Export it again.';
  expect(await probe(ctx, 'hog')).toEqual({ status: 400, message });
  expect(await probe(ctx, 'fine')).toMatchObject({ status: 202 });
});

it('a damaged file gets 400 with the reason, and a fault of ours 500', async () => {
  const ctx = contextFor(600_000);
  expect(await probe(ctx, 'bad')).toEqual({ status: 400, message: 'image_url: The file is damaged.' });
  expect(await probe(ctx, 'bug')).toMatchObject({ status: 500 });
});
