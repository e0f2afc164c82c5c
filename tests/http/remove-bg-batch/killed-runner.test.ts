import { once } from 'node:events';
import { expect, it } from 'vitest';
import { schema } from '../../../server/db.ts';
import { balance, reconcile } from '../../../server/wallet/index.ts';
import { startApi } from '../../support/api.ts';
import { spawnPart } from '../../support/service.ts';

it('POST /v1/remove-bg/batch is done whole, and charged once, when the runner is killed in its middle', {
  timeout: 150_000,
}, async () => {
  const api = await startApi();
  try {
    const { ctx } = api;
    const items = Array.from({ length: 12 }, () => ({ image_url: `${api.files.url}/subject.png` }));
    const { body } = await api.removeBgBatch({ items });
    const runner = spawnPart('server/runner/main.ts', {
      ...process.env,
      DATABASE_URL: ctx.env.DATABASE_URL,
      DATA_DIR: ctx.env.DATA_DIR,
      RUNNER_CONCURRENCY: '1',
      MODELS_OFFLINE: '1',
    });
    const stored = async () => {
      const keys = [];
      for await (const key of ctx.storage.list('outputs/', new Date(Date.now() + 1000))) keys.push(key);
      return keys.length;
    };
    // Some items are done already.
    await expect.poll(stored, { timeout: 60_000, interval: 5 }).toBeGreaterThan(1);
    runner.process.kill('SIGKILL');
    await once(runner.process, 'exit');
    expect((await api.status(body.request_id)).body.status).toBe('PROCESSING');
    await api.startRunner();
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.12' } });
    expect(job.output.items.map((item: { status: string }) => item.status)).toEqual(
      Array(12).fill('success'),
    );
    expect(await ctx.db.select().from(schema.jobs)).toMatchObject([{ attempt: 2, charged: 120_000n }]);
    expect(await balance(ctx.db, api.accountId)).toMatchObject({ balance: 880_000n, held: 0n });
    expect(await reconcile(ctx.db)).toEqual({ ok: true, faults: [] });
  } finally {
    await api.close();
  }
});
