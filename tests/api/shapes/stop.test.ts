import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OPERATIONS as PRODUCT } from '../../../models/registry.ts';
import { respondWithOutcome } from '../../../server/api/submit/respond-with-outcome.ts';
import { claimJob, failJob } from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../support/service/job-fixture.ts';

let fixture: JobFixture;
beforeEach(async () => {
  fixture = await createJobFixture();
});
afterEach(() => fixture.close());

test('a process that stops still waits for a job whose result cannot be fetched later', async () => {
  const { ctx, actor } = fixture;
  const id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' });
  const responding = respondWithOutcome(
    { ...ctx, stopping: AbortSignal.abort() },
    {
      operation: PRODUCT['image-moderation'],
      id,
      accountId: actor.accountId,
      signal: new AbortController().signal,
      accepted: { status: 202, body: {} },
    },
  );
  await wait(500);
  const claim = await claimJob(ctx.db, id);
  expect(claim).toMatchObject({ attempt: 1 });
  if (claim) await failJob(ctx, claim, { status: 'FAILED', message: 'The image is damaged.' });
  expect(await responding).toMatchObject({ status: 422, body: { message: 'The image is damaged.' } });
});
