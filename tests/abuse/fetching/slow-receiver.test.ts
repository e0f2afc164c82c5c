// @module-tag long

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueueDelivery } from '../../../server/io/webhooks/index.ts';
import type { Runner } from '../../../server/jobs/runner/runner.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { createRunnerHarness, type RunnerHarness } from '../../support/service/runner-harness.ts';

let harness: RunnerHarness;
let runners: Runner[];
/** Receiver that accepts requests and never responds. */
let slow: HttpTarget;
let held: Set<ServerResponse>;
/** Most requests that it has held at once. */
let heldMost: number;
let receiver: WebhookReceiver;

beforeEach(async () => {
  harness = await createRunnerHarness({ FETCH_ALLOW_NETWORKS: '127.0.0.0/8', RUNNER_CONCURRENCY: '1' });
  held = new Set();
  heldMost = 0;
  slow = await startSlow();
  receiver = await startWebhookReceiver();
  runners = await Promise.all([harness.start(), harness.start()]);
});
afterEach(async () => {
  for (const response of held) response.destroy();
  await Promise.all(runners.map((runner) => runner.stop(0)));
  await slow.stop();
  await receiver.close();
  await harness.fixture.close();
});

/** Starts a receiver that never responds, at its own address: the address tells receivers apart. */
function startSlow(): Promise<HttpTarget> {
  return startHttpTarget((_request, response) => hold(response), { host: '127.0.0.2' });
}

function hold(response: ServerResponse): void {
  held.add(response);
  heldMost = Math.max(heldMost, held.size);
  response.once('close', () => held.delete(response));
}

async function send(accountId: string, url: string): Promise<void> {
  const delivery = { accountId, reference: 'x', url, body: '{}' };
  await harness.fixture.ctx.db.transaction((tx) => enqueueDelivery(tx, delivery));
}

test('a delivery does not wait for the many of another account to a receiver that hangs', async () => {
  const { actor, addActor } = harness.fixture;
  for (let i = 0; i < 60; i++) await send(actor.accountId, slow.origin);
  await expect.poll(() => heldMost).toBe(2);
  const { accountId } = await addActor();
  for (let i = 0; i < 5; i++) await send(accountId, receiver.url);
  await receiver.until(5);
  expect(heldMost).toBe(2);
});

test('nor do many accounts together fill the places with one receiver', async () => {
  for (let i = 0; i < 12; i++) {
    const { accountId } = await harness.fixture.addActor();
    await send(accountId, slow.origin);
  }
  await expect.poll(() => heldMost).toBe(4);
  const { accountId } = await harness.fixture.addActor();
  await send(accountId, receiver.url);
  await receiver.until(1);
  expect(heldMost).toBe(4);
});

test('a receiver counts as one host, whichever of its ports are called', async () => {
  const ports = await Promise.all(Array.from({ length: 3 }, startSlow));
  for (let i = 0; i < 12; i++) {
    const { accountId } = await harness.fixture.addActor();
    await send(accountId, ports[i % ports.length]?.origin ?? '');
  }
  await expect.poll(() => heldMost).toBe(4);
  const { accountId } = await harness.fixture.addActor();
  await send(accountId, receiver.url);
  await receiver.until(1);
  expect(heldMost).toBe(4);
  for (const response of held) response.destroy();
  await Promise.all(ports.map((port) => port.stop()));
});
