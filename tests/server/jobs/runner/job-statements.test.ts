import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/servers/webhook-receiver.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';

/** Statements that come by the clock, or with each look at a lane. */
const BY_THE_CLOCK =
  /scheduled_tasks|"runners"|logged_requests|set locked_by = null|full_hosts|due_lanes|"attempt" from "jobs"/;

let api: TestApi;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  api = await startApi();
  await api.startRunner();
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

test('a conversion takes at most 18 statements from its request to its webhook', {
  timeout: 300_000,
}, async () => {
  const sent: string[] = [];
  Object.assign(api.ctx.db.$client.options, {
    debug: (_connection: number, text: string) => sent.push(text),
  });
  const convert = async (): Promise<string[]> => {
    sent.length = 0;
    const request = { image_url: api.imageUrl, to_format: 'webp' };
    const { status } = await api.convert(request, { 'x-webhook-url': receiver.url });
    expect(status).toBe(202);
    const isSent = (part: string): boolean => sent.some((text) => text.includes(part));
    const isDone = () => isSent('"deleted_at" = now()') && isSent('webhook_delivery_attempts');
    await expect.poll(isDone, { timeout: 120_000 }).toBe(true);
    return sent.filter((text) => !BY_THE_CLOCK.test(text) && !/^(begin|commit)/.test(text));
  };
  // The first makes what the process keeps.
  await convert();
  const statements = await convert();
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(18);
});
