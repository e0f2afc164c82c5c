import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendWeights } from '../../../server/api/routes/relay-weights.ts';
import {
  RELAY_PATH,
  RELAYED_CARD,
  type RelayApi,
  startRelayApi,
} from '../../support/service/relayed-weights.ts';

const RELAYS_MAX = 16;
const RATE = { RATE_LIMIT_BURST: '1000' };

describe('GET /weights/<sha256> returns 503', () => {
  it('when no source has the file', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'darkroom-mirror-'));
    const api = await startRelayApi({ MODEL_MIRROR: mirror });
    const { status, headers, body } = await api.call('GET', RELAY_PATH);
    expect([status, body.error]).toEqual([503, 'Service Unavailable']);
    expect(body.message).toBe('relayed: the weights cannot be downloaded: the mirror has no such file.');
    expect(headers.get('retry-after')).toBeTruthy();
    await api.close();
    await rm(mirror, { recursive: true });
  });

  it('to all but 16 of a burst, until one of the 16 ends', async () => {
    const api = await startRelayApi(RATE);
    await api.keepAway();
    await allFree(api);
    const burst = await Promise.all(Array.from({ length: 40 }, () => api.get()));
    const statusCount = (code: number) => burst.filter(({ status }) => status === code).length;
    expect([statusCount(200), statusCount(503)]).toEqual([RELAYS_MAX, 40 - RELAYS_MAX]);
    await burst.find(({ status }) => status === 200)?.body?.cancel();
    const next = await api.get();
    expect(next.status).toBe(200);
    await Promise.all([next, ...burst].map(({ body }) => body?.locked || body?.cancel()));
    expect((await api.get({}, 'HEAD')).status).toBe(200);
    await api.close();
  });

  it('until clients that read nothing time out', async () => {
    const api = await startRelayApi(RATE);
    await api.keepAway();
    await allFree(api);
    const request = new Request(new URL(RELAY_PATH, api.ctx.env.PUBLIC_URL));
    const idle = () => sendWeights(api.ctx, request, RELAYED_CARD.sha256, 100);
    const unread = await Promise.all(Array.from({ length: RELAYS_MAX }, idle));
    await expect.poll(async () => (await api.get({}, 'HEAD')).status).toBe(200);
    await expect(unread[0]?.arrayBuffer()).rejects.toThrow('read nothing');
    await api.close();
  });
});

/** Waits until all relays are free: another file of this process may have left one unread, for a minute. */
async function allFree(api: RelayApi): Promise<void> {
  const tryAll = async () => {
    const all = await Promise.all(Array.from({ length: RELAYS_MAX }, () => api.get()));
    await Promise.all(all.map(({ body }) => body?.cancel()));
    return all.filter(({ status }) => status === 200).length;
  };
  await expect.poll(tryAll, { interval: 3000 }).toBe(RELAYS_MAX);
}
