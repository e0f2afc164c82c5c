import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { startApi } from '../../support/api.ts';

it('POST /v1/remove-bg answers 500 when no attempt succeeds by our fault, and charges nothing', async () => {
  const api = await startApi();
  try {
    await api.startRunner();
    // Weights that are not here and may not be fetched. The queue waits between attempts; a test does not.
    const hurry = setInterval(
      () =>
        void api.ctx.db.execute(sql`select graphile_worker.reschedule_jobs(
          array(select id from graphile_worker.jobs where locked_at is null), run_at => now())`),
      100,
    );
    const answer = await api.removeBg({ image_url: `${api.files.url}/subject.png`, engine: 'u2netp' });
    clearInterval(hurry);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: 'Internal Server Error',
      message: expect.stringMatching(/^processing_failed: .*Nothing was charged/),
    });
  } finally {
    await api.close();
  }
});
