// @module-tag long

import { once } from 'node:events';
import { asc } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import { spawnPart } from '../../../lab/support/service.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { createMatteModel } from '../../support/models/matte.ts';
import { startInferenceServer } from '../../support/servers/inference-server.ts';
import { startApi } from '../../support/service/api.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('POST /v1/remove-bg/batch processes only the remaining items, and is charged once, when the runner is killed midway', {
  timeout: 150_000,
}, async () => {
  const [api, network] = await Promise.all([startApi(), startInferenceServer(createMatteModel('u2netp'))]);
  // The first runner receives three results of the model, and waits for the fourth.
  network.answersMax = 3;
  try {
    const { ctx } = api;
    const { batchItems } = schema;
    const settled = () => ctx.db.select().from(batchItems).orderBy(asc(batchItems.position));
    const item = { image_url: `${api.files.url}/subject.png`, engine: 'u2netp' };
    const items = Array.from({ length: 12 }, (_, at) => ({ ...item, background: `rgb(${at} 0 0)` }));
    const { body } = await api.removeBgBatch({ items });
    vi.stubEnv('INFERENCE_ENDPOINTS', `u2netp=${network.url}`);
    const runner = spawnPart('server/ops/process/runner.ts', {
      ...process.env,
      DATABASE_URL: ctx.env.DATABASE_URL,
      DATA_DIR: ctx.env.DATA_DIR,
      RUNNER_CONCURRENCY: '1',
      MODELS_OFFLINE: '1',
    });
    await expect.poll(settled, { timeout: 90_000, interval: 50 }).toHaveLength(3);
    // Else a request of the killed runner could arrive once the server responds again.
    await expect.poll(() => network.held).toBe(1);
    const before = await settled();
    runner.process.kill('SIGKILL');
    await once(runner.process, 'exit');
    expect((await api.status(body.request_id)).body).toMatchObject({ status: 'PROCESSING', output: null });
    network.answersMax = Number.POSITIVE_INFINITY;
    await api.startRunner();
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.12' } });
    expect(job.output.items).toEqual(
      Array(12).fill(expect.objectContaining({ status: 'success', engine: 'u2netp on inference server' })),
    );
    expect(await settled()).toEqual(expect.arrayContaining(before));
    expect(network.inferences).toBe(12);
    expect(await ctx.db.select().from(schema.jobs)).toMatchObject([{ attempt: 2, charged: 120_000n }]);
    expect(await readBalance(ctx.db, api.accountId)).toMatchObject({ balance: 880_000n, held: 0n });
    expect(await reconcileBalances(ctx.db)).toEqual({ ok: true, faults: [] });
  } finally {
    await api.close();
    await network.stop();
  }
});
