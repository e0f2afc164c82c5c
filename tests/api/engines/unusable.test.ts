import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mirrorNames } from '../../../models/core/runtime/weight-card.ts';
import { MATTE_MODELS } from '../../../models/matting/matte-models.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const CARD = MATTE_MODELS.map(({ card }) => card).find(({ id }) => id === 'u2netp');

let mirror: string;
let api: TestApi;
beforeAll(async () => {
  if (!CARD) throw new Error('there is no such engine');
  mirror = await mkdtemp(join(tmpdir(), 'darkroom-mirror-'));
  const [name = ''] = mirrorNames(CARD);
  await mkdir(dirname(join(mirror, name)), { recursive: true });
  await writeFile(join(mirror, name), new Uint8Array(CARD.bytes ?? 1_000));
  vi.stubEnv('MODEL_MIRROR', mirror);
  api = await startApi({ MODELS_OFFLINE: '1', MODEL_MIRROR: mirror });
  await api.startRunner();
});
afterAll(async () => {
  await api.close();
  vi.unstubAllEnvs();
  await rm(mirror, { recursive: true });
});

describe('an engine whose weights have other bytes at the mirror', { timeout: 120_000 }, () => {
  it('is engine_unavailable from the first request on, and charges nothing', async () => {
    const request = { image_url: `${api.files.url}/subject.png`, engine: 'u2netp' };
    for (let at = 0; at < 2; at++) {
      const { status, headers, body } = await api.removeBg(request);
      expect([status, headers.get('retry-after'), headers.get('error-code')]).toEqual([
        503,
        null,
        'engine_unavailable',
      ]);
      expect(body).toMatchObject({ code: 'engine_unavailable', field: 'engine' });
    }
    const { balance, held } = await readBalance(api.ctx.db, api.accountId);
    expect([balance, held]).toEqual([1_000_000n, 0n]);
  });

  it('fails only in its item of a batch', { tags: ['long'] }, async () => {
    const image_url = `${api.files.url}/subject.png`;
    const { body } = await api.removeBgBatch({ items: [{ image_url }, { image_url, engine: 'u2netp' }] });
    const { output } = await api.ended(body.request_id);
    expect(output.items).toMatchObject([
      { status: 'success' },
      { status: 'failed', code: 'engine_unavailable', charged_usd: '0' },
    ]);
  });
});
