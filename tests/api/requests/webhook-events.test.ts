import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { streamWebhookEvents } from '../../../server/api/routes/stream-webhook-events.ts';
import { buildTestEvent } from '../../../server/api/test-event.ts';
import { schema } from '../../../server/base/database/db.ts';
import { getNotifications } from '../../../server/base/database/notifications.ts';
import { authenticateKey } from '../../../server/identity/keys/index.ts';
import { announceEvent } from '../../../server/io/webhooks/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { openSignedInBrowser } from '../../support/service/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const listeners = async () => (await getNotifications(api.ctx.db, 'delivery')).listenerCount(api.accountId);

function open(options: RequestInit = {}): Request {
  const headers = { authorization: `Bearer ${api.apiKey}` };
  return new Request(new URL('/api/v2/webhooks/events', api.ctx.env.PUBLIC_URL), { headers, ...options });
}

it('GET /v2/webhooks/events listens until the client leaves', async () => {
  const response = await handleApi(api.ctx, open());
  expect([response.status, await listeners()]).toEqual([200, 1]);
  await response.body?.cancel();
  expect(await listeners()).toBe(0);
});

it('GET /v2/webhooks/events listens to nothing for a client that left during its authentication', async () => {
  const actor = await authenticateKey(api.ctx.db, api.apiKey);
  const unused = { handle: handleApi, describe: () => ({}) };
  const request = open({ signal: AbortSignal.abort() });
  await streamWebhookEvents.handle({ ctx: api.ctx, request, actor, segment: '', api: unused });
  expect(await listeners()).toBe(0);
});

it('GET /v2/webhooks/events ends for a person whose new role sees jobs, but may not send events', async () => {
  const { accountId, ctx } = api;
  const browser = await openSignedInBrowser(api, { accountId, email: 'owner@example.com' });
  const response = await handleApi(ctx, open({ headers: browser.headers() }));
  const reader = response.body?.getReader();
  const endsAtNextEvent = async () => {
    await announceEvent(ctx.db, accountId, JSON.stringify(buildTestEvent('completed')));
    return (await reader?.read())?.done;
  };
  expect([await endsAtNextEvent(), await endsAtNextEvent()]).toEqual([false, false]);
  await ctx.db.update(schema.memberships).set({ role: 'read_only' });
  await expect.poll(endsAtNextEvent, { timeout: 10_000 }).toBe(true);
  expect(await listeners()).toBe(0);
});

it('HEAD /v2/webhooks/events returns 200 at once, and listens to nothing', async () => {
  const response = await handleApi(api.ctx, open({ method: 'HEAD' }));
  expect([response.status, response.body, await listeners()]).toEqual([200, null, 0]);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
});
