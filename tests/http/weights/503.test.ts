import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startApi } from '../../support/api.ts';
import { RELAY_PATH } from '../../support/relayed-weights.ts';

it('GET /weights/<sha256> answers 503 when no source has the file', async () => {
  const mirror = await mkdtemp(join(tmpdir(), 'darkroom-mirror-'));
  const api = await startApi({ MODELS_OFFLINE: '1', MODEL_MIRROR: mirror });
  const { status, headers, body } = await api.call('GET', RELAY_PATH);
  expect([status, body.error]).toEqual([503, 'Service Unavailable']);
  expect(body.message).toBe('relayed: the weights cannot be had: the mirror has no such file.');
  expect(headers.get('retry-after')).toBeTruthy();
  await api.close();
  await rm(mirror, { recursive: true });
});
