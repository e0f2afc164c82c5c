import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { computeFingerprint } from '../../../server/api/submit/fingerprint.ts';
import {
  dropReservation,
  type KeyReservation,
  LEASE_SECONDS,
  recordResponse,
  reserveIdempotencyKey,
  startRenewing,
} from '../../../server/api/submit/idempotency.ts';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const { idempotencyKeys } = schema;
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
afterEach(() => vi.useRealTimers());

const getBody = () => JSON.stringify({ image_url: api.imageUrl, to_format: 'webp' });

/** Reserves a key for a request whose process then dies. */
async function reserve(key: string): Promise<KeyReservation> {
  const url = `${api.ctx.env.PUBLIC_URL}/api/media-tools/v1/image-convert`;
  const request = new Request(url, { method: 'POST', headers: { 'idempotency-key': key }, body: getBody() });
  const body = JSON.parse(getBody());
  const fingerprint = computeFingerprint(request, body, OPERATIONS['media-convert-image'], new Map());
  const owner = { accountId: api.accountId };
  const reserved = await reserveIdempotencyKey(api.ctx, owner, request, [fingerprint]);
  if (!reserved || reserved === 'other' || !('reservation' in reserved)) throw new Error('not reserved');
  return reserved.reservation;
}
const expire = (key: string) =>
  api.ctx.db
    .update(idempotencyKeys)
    .set({ lockedUntil: sql`now() - interval '1 second'` })
    .where(eq(idempotencyKeys.key, key));
async function secondsLeft(key: string): Promise<number> {
  const [row] = await api.ctx.db
    .select({ left: sql<number>`extract(epoch from ${idempotencyKeys.lockedUntil} - now())::float8` })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.key, key));
  return row?.left ?? Number.NaN;
}

describe('the reservation of an Idempotency-Key', () => {
  it('ends with its lease after its process has died, and fences what that process may still do', async () => {
    const dead = await reserve('died');
    expect((await api.convert(getBody(), { 'idempotency-key': 'died' })).status).toBe(409);
    await expire('died');
    const response = await api.convert(getBody(), { 'idempotency-key': 'died' });
    expect(response.status).toBe(202);
    await expect(recordResponse(api.ctx.db, dead, { status: 200, body: {} })).rejects.toMatchObject({
      code: 'conflict',
      retryAfterSeconds: expect.any(Number),
    });
    await dropReservation(api.ctx.db, dead);
    expect(await api.convert(getBody(), { 'idempotency-key': 'died' })).toMatchObject({
      body: response.body,
    });
  });

  it('lasts while its request renews it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const end = startRenewing(api.ctx, await reserve('slow'));
    await expire('slow');
    expect(await secondsLeft('slow')).toBeLessThan(0);
    vi.advanceTimersByTime((LEASE_SECONDS * 1000) / 2);
    await expect.poll(() => secondsLeft('slow')).toBeGreaterThan(0);
    end();
    await expire('slow');
    vi.advanceTimersByTime(LEASE_SECONDS * 10_000);
    expect(await secondsLeft('slow')).toBeLessThan(0);
  });

  it('ends with a request that fails on our side', async () => {
    vi.spyOn(api.ctx.storage, 'putFile').mockRejectedValueOnce(new Error('a fault'));
    expect((await api.convert(getBody(), { 'idempotency-key': 'fault' })).status).toBe(500);
    expect((await api.convert(getBody(), { 'idempotency-key': 'fault' })).status).toBe(202);
  });
});
