import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { awaitJobEnd, claimJob, completeJob, failJob } from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../support/service/job-fixture.ts';

let fixture: JobFixture;
let id: string;
beforeEach(async () => {
  fixture = await createJobFixture();
  id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' });
});
afterEach(() => fixture.close());

const never = new AbortController().signal;
async function end(how: 'COMPLETED' | 'FAILED'): Promise<void> {
  const { ctx } = fixture;
  const claim = await claimJob(ctx.db, id);
  if (!claim) throw new Error('the job has ended already');
  if (how === 'FAILED') await failJob(ctx, claim, { status: 'FAILED', message: 'As told.' });
  else await completeJob(ctx, claim, { files: [output()], engine: 'test', warnings: [] });
}
const output = () => ({
  key: `outputs/${id}/1/a.png`,
  name: 'a.png',
  mediaType: 'image/png',
  bytes: 3,
  sha256: Buffer.alloc(32),
});

describe('waiting for the end of a job', () => {
  test.each(['COMPLETED', 'FAILED'] as const)('ends with the transaction that makes it %s', async (how) => {
    const heard: string[] = [];
    await fixture.ctx.db.$client.listen('job_ended', (told) => heard.push(told));
    const waiting = Promise.all([1, 2, 3].map(() => awaitJobEnd(fixture.ctx, id, never)));
    await end(how);
    expect(await waiting).toEqual([true, true, true]);
    await expect.poll(() => heard).toEqual([id]);
  });

  test('ends at once when the job has already ended', async () => {
    await end('COMPLETED');
    expect(await awaitJobEnd(fixture.ctx, id, never)).toBe(true);
  });

  test('ends when it is aborted', async () => {
    const leaving = new AbortController();
    const waiting = awaitJobEnd(fixture.ctx, id, leaving.signal);
    leaving.abort();
    expect(await waiting).toBe(false);
  });

  test('finds the end by polling when the listening connection is lost', async () => {
    const waiting = awaitJobEnd(fixture.ctx, id, never);
    await fixture.ctx.db.$client`
      select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
    await end('COMPLETED');
    expect(await waiting).toBe(true);
  });
});
