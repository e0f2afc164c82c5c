import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_STATUSES, type JobStatus } from '../../../models/core/operation/job.ts';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/service/database.ts';

const { jobs } = schema;
let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ accountId } = await openAccount(database.db, 'owner@example.com'));
});
afterAll(() => database.drop());

const WAYS: Record<JobStatus, readonly JobStatus[]> = {
  QUEUED: [],
  PROCESSING: ['PROCESSING'],
  COMPLETED: ['PROCESSING', 'COMPLETED'],
  FAILED: ['PROCESSING', 'FAILED'],
  ERROR: ['PROCESSING', 'ERROR'],
};
const NEXT: Record<JobStatus, readonly JobStatus[]> = {
  QUEUED: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'FAILED', 'ERROR'],
  COMPLETED: [],
  FAILED: [],
  ERROR: [],
};
const PAIRS = JOB_STATUSES.flatMap((from) =>
  JOB_STATUSES.filter((to) => to !== from).map((to) => [from, to] as const),
);

const move = (id: string, status: JobStatus) =>
  database.db
    .update(jobs)
    .set({ status, error: status === 'FAILED' || status === 'ERROR' ? 'a reason' : null })
    .where(eq(jobs.id, id));

describe('the database allows exactly the transitions of the state table', () => {
  it.each(PAIRS)('%s -> %s', async (from, to) => {
    const id = `${from}-${to}`;
    await database.db
      .insert(jobs)
      .values({ id, accountId, operationId: 'media-convert-image', params: {}, facts: {}, held: 0n });
    for (const step of WAYS[from]) await move(id, step);
    const moved = await move(id, to).then(
      () => true,
      () => false,
    );
    expect(moved).toBe(NEXT[from].includes(to));
  });
});
