import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { handleApi } from '../../../../server/api/api.ts';
import { createUpload } from '../../../../server/api/routes/create-upload.ts';
import { authenticateKey, issueKey } from '../../../../server/identity/keys/index.ts';
import { cancelJob, submitJob } from '../../../../server/jobs/index.ts';
import { deleteExpiredData } from '../../../../server/jobs/runner/create-scheduled-tasks.ts';
import { topUp } from '../../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';
import { TestBrowser } from '../../../support/service/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

describe('the deletion of an account', () => {
  test('refuses a request that had authenticated before, in the transaction that would make its job', async () => {
    const { call, accountId } = await openDashboard(api, 'late@example.com');
    const { apiKey } = await call.keys.create({ name: 'late' });
    let release = () => {};
    let onAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
    const slow = createServer(async (_request, response) => {
      onAsked();
      await released;
      response.writeHead(200, { 'content-type': 'image/png' }).end(photo);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    try {
      const url = `http://127.0.0.1:${port}/photo.png`;
      const headers = { 'ocp-apim-subscription-key': apiKey };
      const late = api.convert({ image_url: url, to_format: 'webp' }, headers);
      await asked;
      await deleteAccount(api.ctx, accountId);
      release();
      expect(await late).toMatchObject({ status: 401, body: { message: 'This account was deleted.' } });
    } finally {
      release();
      slow.closeAllConnections();
      slow.close();
    }
    const { $client } = api.ctx.db;
    expect(await $client`select id from jobs where account_id = ${accountId}`).toHaveLength(0);
    expect(await call.wallet.summary()).toMatchObject({ holds: 0, balanceUsd: '5.00' });
  });

  test('waits for a job that is being accepted, and is then refused', async () => {
    const { accountId } = await openDashboard(api, 'racing@example.com');
    const actor = { accountId, isTest: false, keyId: null, rateId: accountId, operations: null };
    const job = { id: `upscale_${randomUUID()}`, modelId: 'upscale', params: {}, facts: {}, price: 2000n };
    const locks = () => api.ctx.db.$client`select from pg_locks where not granted`;
    let deletion: Promise<unknown> | undefined;
    await submitJob(api.ctx, { ...job, actor, lane: 'long', files: [] }, async () => {
      deletion = deleteAccount(api.ctx, accountId).catch((thrown: unknown) => thrown);
      await expect.poll(async () => (await locks()).length).toBeGreaterThan(0);
    });
    expect(await deletion).toMatchObject({ code: 'conflict' });
    await cancelJob(api.ctx, { accountId, id: job.id });
  });

  test('lets nothing new come from a page that was open', async () => {
    const { call, accountId } = await openDashboard(api, 'open-page@example.com');
    const [{ apiKey }, { keyId }] = await Promise.all([
      call.keys.create({ name: 'before' }),
      call.keys.create({ name: 'rotated' }),
    ]);
    const actor = await authenticateKey(api.ctx.db, apiKey);
    await deleteAccount(api.ctx, accountId);
    const refused = { code: 'UNAUTHORIZED', message: 'This account was deleted.' };
    await expect(call.keys.create({ name: 'after' })).rejects.toMatchObject(refused);
    await expect(call.keys.rotate({ keyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(call.webhooks.rotateSecret({ graceHours: 0 })).rejects.toMatchObject(refused);
    await expect(call.webhooks.sendTest({ url: 'http://127.0.0.1:9/hook' })).rejects.toMatchObject(refused);
    const request = new Request('http://localhost/api/uploads', { method: 'POST', body: 'bytes' });
    const unused = { handle: handleApi, describe: () => ({}) };
    const upload = createUpload.handle({ ctx: api.ctx, request, actor, segment: '', api: unused });
    await expect(upload).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('leaves no file, upload, session, delivery, finding or name behind', async () => {
    const local = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
    try {
      const browser = new TestBrowser(local);
      await browser.signUp('Owner@Example.com');
      await browser.signIn('Owner@Example.com');
      const { $client } = local.ctx.db;
      const [user] = await $client`select account_id from users`;
      const accountId: string = user?.account_id;
      await topUp(local.ctx.db, { accountId, amount: 1_000_000n, idempotencyKey: 'x', reference: 'x' });
      const { apiKey } = await issueKey(local.ctx.db, { accountId, name: 'mine' });
      const headers = {
        'ocp-apim-subscription-key': apiKey,
        'x-webhook-url': 'http://127.0.0.1:9/secret-hook',
      };
      const { body } = await local.convert({ image_url: local.imageUrl, to_format: 'webp' }, headers);
      const binary = { ...headers, 'content-type': 'application/octet-stream' };
      await local.call('POST', '/api/uploads?name=mine.jpg', { body: new Uint8Array(10), headers: binary });
      const runner = await local.startRunner();
      await local.ended(body.request_id);
      await runner.stop();
      await $client`insert into self_hosted_workers values (${accountId}, 'mine', now())`;
      await $client`insert into spending_alerts (account_id, month, share, spent_micro_usd, cap_micro_usd)
        values (${accountId}, '2026-11', 80, 1, 1)`;
      await deleteAccount(local.ctx, accountId);
      const gone = ['users', 'sessions', 'credentials', 'passkeys', 'webhook_deliveries'];
      const also = ['webhook_delivery_attempts', 'webhook_secrets', 'queue_entries', 'idempotency_keys'];
      for (const table of [
        ...gone,
        ...also,
        'audit_events',
        'batch_items',
        'self_hosted_workers',
        'spending_alerts',
      ]) {
        const owner = table === 'webhook_secrets' ? $client`where account_id = ${accountId}` : $client``;
        expect(await $client`select * from ${$client(table)} ${owner}`, table).toHaveLength(0);
      }
      await $client`update uploads set expires_at = expires_at - interval '11 minutes'`;
      await deleteExpiredData(local.ctx);
      for (const prefix of ['inputs/', 'outputs/']) {
        for await (const key of local.ctx.storage.list(prefix, new Date(Date.now() + 60_000))) {
          expect(key).toBe('nothing is left');
        }
      }
      const kept = [
        'jobs',
        'files',
        'uploads',
        'accounts',
        'api_keys',
        'service_secrets',
        'transfers',
        'verifications',
      ];
      for (const table of kept) {
        const rows = await $client`select ${$client(table)}::text as text from ${$client(table)}`;
        const text = rows.map((row) => row.text).join('\n');
        expect(text, table).not.toMatch(/@Example\.com|secret-hook|photo\.png|mine/i);
        expect(text, table).not.toContain(Buffer.from('owner@example.com').toString('hex'));
      }
    } finally {
      await local.close();
    }
  });
});
