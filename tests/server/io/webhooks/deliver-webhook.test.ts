import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import {
  deliverWebhook,
  enqueueDelivery,
  listDeliveries,
  resendDelivery,
} from '../../../../server/io/webhooks/index.ts';
import { type HttpTarget, startHttpTarget } from '../../../support/servers/http-target.ts';
import {
  createWebhookSender,
  DELIVERY_BODY,
  type TestWebhookSender,
} from '../../../support/service/webhook-sender.ts';

let directory: string;
let sender: TestWebhookSender;
let target: HttpTarget;
/** Response of the receiver. */
let status = 200;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'webhooks-'));
  sender = await createWebhookSender(directory);
  target = await startHttpTarget((_request, response) => {
    response.writeHead(status, { location: '/elsewhere' }).end('response');
  });
});

afterEach(async () => {
  status = 200;
  target.requests.length = 0;
  const { db } = sender.ctx;
  await db.delete(schema.deliveryAttempts);
  await db.delete(schema.deliveries);
  await db.delete(schema.queueEntries);
});

afterAll(async () => {
  await target.stop();
  await sender.database.drop();
  await rm(directory, { recursive: true });
});

async function getLog(id: string) {
  const found = (await listDeliveries(sender.ctx.db, { accountId: sender.accountId })).find(
    (log) => log.id === id,
  );
  if (!found) throw new Error(`there is no delivery ${id}`);
  return found;
}

/** Returns when the queue will run each waiting attempt. */
async function queued(): Promise<Date[]> {
  const rows = await sender.ctx.db.select().from(schema.queueEntries);
  return rows.map(({ runAt }) => runAt);
}

const deliver = (deliveryId: string) => deliverWebhook(sender.ctx, deliveryId);

describe('a delivery', () => {
  test('is a signed POST of the stored bytes, and is recorded', async () => {
    const id = await sender.enqueue(`${target.origin}/hook`);
    await deliver(id);
    const [received] = target.requests;
    expect(received?.request.method).toBe('POST');
    expect(received?.request.headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' });
    expect(received?.body).toBe(DELIVERY_BODY);
    const [secret] = await secrets();
    const headers = received?.request.headers as Record<string, string>;
    expect(new Webhook(secret ?? '').verify(DELIVERY_BODY, headers)).toMatchObject({ status: 'COMPLETED' });
    expect(await getLog(id)).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      attempts: [{ attempt: 1, responseStatus: 200, error: null, durationMs: expect.any(Number) }],
    });
  });

  test('is signed with the old and the new secret during rotation, and with no expired one', async () => {
    const [first] = await secrets();
    const added = {
      newer: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
      expired: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
    };
    const { db } = sender.ctx;
    const { accountId } = sender;
    await db.insert(schema.webhookSecrets).values([
      { accountId, secret: added.newer },
      { accountId, secret: added.expired, expiresAt: new Date(Date.now() - 1000) },
    ]);
    await deliver(await sender.enqueue(target.origin));
    const headers = target.requests[0]?.request.headers as Record<string, string>;
    for (const secret of [first ?? '', added.newer]) new Webhook(secret).verify(DELIVERY_BODY, headers);
    expect(() => new Webhook(added.expired).verify(DELIVERY_BODY, headers)).toThrow();
    await db.delete(schema.webhookSecrets).where(eq(schema.webhookSecrets.secret, added.newer));
  });

  test('is queued in the transaction of its event, or not at all', async () => {
    const { accountId } = sender;
    const delivery = { accountId, reference: 'r', url: target.origin, body: '{}' };
    const rolledBack = sender.ctx.db.transaction(async (tx) => {
      await enqueueDelivery(tx, delivery);
      throw new Error('undone');
    });
    await expect(rolledBack).rejects.toThrow('undone');
    expect(await queued()).toEqual([]);
    expect(await listDeliveries(sender.ctx.db, { accountId })).toEqual([]);
    await sender.ctx.db.transaction((tx) => enqueueDelivery(tx, delivery));
    expect(await queued()).toHaveLength(1);
  });

  test('is not sent again when the queue runs it twice', async () => {
    const id = await sender.enqueue(target.origin);
    await deliver(id);
    await deliver(id);
    expect(target.requests).toHaveLength(1);
  });

  test('by two concurrent workers is counted once', async () => {
    const waiting: ServerResponse[] = [];
    const slow = await startHttpTarget((_request, response) => {
      waiting.push(response.writeHead(500));
      if (waiting.length === 2) for (const held of waiting) held.end();
    });
    const id = await sender.enqueue(slow.origin);
    await Promise.all([deliver(id), deliver(id)]);
    expect(waiting).toHaveLength(2);
    await slow.stop();
    expect((await getLog(id)).attempts.map(({ attempt }) => attempt)).toEqual([1]);
    expect(await queued()).toHaveLength(1);
  });

  async function secrets(): Promise<string[]> {
    const rows = await sender.ctx.db.select().from(schema.webhookSecrets);
    return rows.filter((row) => row.expiresAt === null).map((row) => row.secret);
  }
});

describe('a failed attempt', () => {
  test('is retried with growing pauses, ten times in about three days', async () => {
    status = 503;
    const id = await sender.enqueue(target.origin);
    const pausesMs: number[] = [];
    for (let made = 1; made <= 10; made++) {
      await deliver(id);
      const { state, attempts, nextAttemptAt } = await getLog(id);
      expect(attempts).toHaveLength(made);
      const { at, durationMs, error } = attempts[made - 1] ?? { at: new Date(), durationMs: 0 };
      expect(error).toBe('responded with status 503 instead of 2xx.');
      expect(state).toBe(made < 10 ? 'pending' : 'failed');
      if (!nextAttemptAt) break;
      expect(await queued()).toEqual([nextAttemptAt]);
      pausesMs.push(nextAttemptAt.getTime() - at.getTime() - durationMs);
    }
    expect(pausesMs).toHaveLength(9);
    expect(pausesMs[0]).toBeLessThan(60_000);
    expect([...pausesMs].sort((a, b) => a - b)).toEqual(pausesMs);
    const days = pausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThan(3.1);
    expect(
      new Set(target.requests.map(({ request, body }) => `${request.headers['webhook-id']} ${body}`)).size,
    ).toBe(1);
  });

  test('with 410 ends the delivery at once', async () => {
    status = 410;
    const id = await sender.enqueue(target.origin);
    await deliver(id);
    expect(await getLog(id)).toMatchObject({
      state: 'failed',
      nextAttemptAt: null,
      attempts: [{ responseStatus: 410 }],
    });
  });

  test('includes a redirect', async () => {
    status = 307;
    const id = await sender.enqueue(target.origin);
    await deliver(id);
    expect(target.requests).toHaveLength(1);
    expect(await getLog(id)).toMatchObject({
      state: 'pending',
      attempts: [{ responseStatus: 307, error: 'responded with status 307: redirects are not followed.' }],
    });
  });

  test.each([
    ['a private address', 'http://127.0.0.2:9/', 'must resolve to a public address.'],
    [
      'a server that is down',
      'http://127.0.0.1:1/',
      'the server refused the connection. Check host and port.',
    ],
  ])('includes %s', async (_name, url, error) => {
    const id = await sender.enqueue(url);
    await deliver(id);
    expect(await getLog(id)).toMatchObject({ state: 'pending', attempts: [{ responseStatus: null, error }] });
  });
});

describe('resending', () => {
  const again = (deliveryId: string, accountId = sender.accountId) =>
    resendDelivery(sender.ctx, { accountId, deliveryId });

  test('repeats a delivered webhook under the same id', async () => {
    const id = await sender.enqueue(target.origin);
    await deliver(id);
    await again(id);
    await deliver(id);
    expect(target.requests.map(({ request }) => request.headers['webhook-id'])).toEqual([id, id]);
    expect(await getLog(id)).toMatchObject({
      state: 'delivered',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    });
  });

  test('brings a waiting attempt forward instead of adding one', async () => {
    status = 500;
    const id = await sender.enqueue(target.origin);
    await deliver(id);
    await again(id);
    const [at, ...others] = await queued();
    expect(others).toEqual([]);
    expect(at?.getTime()).toBeLessThan(Date.now() + 5_000);
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'no-uuid'])('rejects a delivery %s', async (id) => {
    await expect(again(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('does not affect a delivery of another account', async () => {
    const id = await sender.enqueue(target.origin);
    await expect(again(id, '00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
