import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OPERATIONS as PRODUCT } from '../../../models/registry.ts';
import { respond } from '../../../server/api/submit/respond.ts';
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
  const responding = respond(
    {
      ctx: { ...ctx, stopping: AbortSignal.abort() },
      request: new Request('http://localhost/'),
      actor,
      operation: PRODUCT['image-moderation'],
      modelId: 'image-moderation',
    },
    {
      response: { status: 202, body: {} },
      awaitedJobId: id,
      key: { reservation: undefined, endRenewal: () => {} },
    },
  );
  await wait(500);
  const claim = await claimJob(ctx.db, id);
  expect(claim).toMatchObject({ attempt: 1 });
  if (claim) await failJob(ctx, claim, { status: 'FAILED', message: 'The image is damaged.' });
  const response = await responding;
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ message: 'The image is damaged.' });
});
