import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getKeyId } from '../../../server/base/secrets/index.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { startHeartbeats } from '../../../server/jobs/heartbeats.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const TOKEN = 'a-token-of-metrics';
const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let api: TestApi;
beforeAll(async () => {
  vi.stubEnv('SECRETS_KEY', OLD);
  api = await startApi({ METRICS_TOKEN: TOKEN });
  await openAccount(api.ctx.db, 'sealed@example.com');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api.close();
});

test('GET /health warns of a key that the process lacks, and names it to the holder of METRICS_TOKEN', async () => {
  const end = await startHeartbeats(api.ctx, 'runner', { isolation: 'user' });
  vi.stubEnv('SECRETS_KEY', NEW);
  const { status, body } = await api.call('GET', '/api/health');
  expect([status, body]).toEqual([200, { status: 'ok', warnings: ['secrets_key'] }]);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const known = await api.call('GET', '/api/health', { headers });
  expect(known.body).toMatchObject({
    missing_keys: [getKeyId(Buffer.from(OLD, 'base64'))],
    processes: [{ part: 'runner', isolation: 'user' }],
  });
  await end();
});
