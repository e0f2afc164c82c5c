import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { topUp } from '../../../server/money/wallet/index.ts';
import { type DnsServer, startDnsServer } from '../../support/servers/dns-server.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';

/** Names whose name server never responds, as anyone may own. */
const SILENT = Array.from({ length: 20 }, (_, number) => `slow-${number}.example`);

let dns: DnsServer;
let api: TestApi;
let other: Record<string, string>;
beforeAll(async () => {
  dns = await startDnsServer({
    'photos.example': ['127.0.0.1'],
    ...Object.fromEntries(SILENT.map((name) => [name, 'silent' as const])),
  });
  api = await startApi({ FETCH_DNS_SERVERS: dns.address });
  const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
  await topUp(api.ctx.db, { accountId, amount: 1_000_000n, idempotencyKey: 'other', reference: 'test' });
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
  other = { 'ocp-apim-subscription-key': apiKey };
});
afterAll(async () => {
  await api.close();
  await dns.stop();
});

describe('names whose name server never responds', () => {
  it('stop neither the inputs nor the webhooks of another account', async () => {
    const leave = new AbortController();
    const slow = SILENT.map((name) => convertFrom(name, leave.signal));
    await expect.poll(() => asked().length).toBeGreaterThanOrEqual(16);
    const photo = api.imageUrl.replace('127.0.0.1', 'photos.example');
    const headers = { ...other, 'x-webhook-url': photo };
    expect(await api.convert({ image_url: photo, to_format: 'png' }, headers)).toMatchObject({ status: 202 });
    leave.abort();
    await Promise.all(slow);
  });
});

const asked = () => SILENT.filter((name) => dns.queries(name) > 0);

function convertFrom(name: string, signal: AbortSignal): Promise<ApiResponse> {
  return api.call('POST', '/api/media-tools/v1/image-convert', {
    body: { image_url: `http://${name}/photo.png`, to_format: 'png' },
    headers: { 'ocp-apim-subscription-key': api.apiKey },
    signal,
  });
}
