// @module-tag long

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { spawnPart } from '../../../lab/support/service.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startApi } from '../../support/service/api.ts';

it('POST /v1/remove-bg returns 200, and charges once, when the runner is killed during the run', async () => {
  const api = await startApi();
  try {
    const { ctx } = api;
    const runner = spawnPart('server/ops/process/runner.ts', {
      ...process.env,
      DATABASE_URL: ctx.env.DATABASE_URL,
      DATA_DIR: ctx.env.DATA_DIR,
      MODELS_OFFLINE: '1',
      RUNNER_CONCURRENCY: '1',
    });
    const response = api.removeBg({ image_url: `${api.files.url}/subject.png` });
    await expect
      .poll(async () => (await ctx.db.select().from(schema.jobs))[0]?.status, { interval: 2 })
      .toBe('PROCESSING');
    runner.process.kill('SIGKILL');
    await once(runner.process, 'exit');
    await api.startRunner();
    const { status, body } = await response;
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success' } });
    const jobs = await ctx.db.select().from(schema.jobs);
    expect(jobs).toMatchObject([{ id: body.request_id, status: 'COMPLETED', charged: 10_000n, attempt: 2 }]);
    expect(await readBalance(ctx.db, api.accountId)).toMatchObject({ balance: 990_000n, held: 0n });
    expect(await reconcileBalances(ctx.db)).toEqual({ ok: true, faults: [] });
  } finally {
    await api.close();
  }
});
