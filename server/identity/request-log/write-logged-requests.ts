import { sql } from 'drizzle-orm';
import type { Executor } from '../../base/database/db.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Newest requests of an account that are kept, and those of them that come often and say little. */
export const REQUESTS_MAX = 10_000;
export const FREQUENT_REQUESTS_MAX = 2_000;

/**
 * Reads that succeeded, such as a job's status, the questions of own machines for work, and refusals by the rate limit.
 */
const IS_FREQUENT = sql`(status < 400 and (method in ('GET', 'HEAD') or starts_with(path, '/api/v2/worker/'))
  or status = 429)`;

/**
 * Writes requests in one statement. Leaves out those of accounts that were deleted, or are being deleted: it waits for
 * no lock, and holds accounts until its end, so that a deletion finds what was written before it.
 */
export async function writeLoggedRequests(db: Executor, requests: readonly LoggedRequest[]): Promise<void> {
  const rows = JSON.stringify(
    requests.map(({ createdAt, ...request }) => ({ ...request, createdAt: createdAt.toISOString() })),
  );
  await db.execute(sql`
    insert into logged_requests (account_id, key_id, created_at, method, path, status, request_id, job_id,
      operation_id, duration_ms, address, user_agent, idempotency_key, body, problem)
    select r."accountId", r."keyId", r."createdAt", r.method, r.path, r.status, r."requestId", r."jobId",
      r."operationId", r."durationMs", r.address, r."userAgent", r."idempotencyKey", r.body, r.problem
    from json_to_recordset(${rows}::text::json) as r("accountId" uuid, "keyId" uuid, "createdAt" timestamptz,
      method text, path text, status integer, "requestId" text, "jobId" text, "operationId" text, "durationMs" real,
      address text, "userAgent" text, "idempotencyKey" text, body json, problem json)
    join accounts on accounts.id = r."accountId" and accounts.deleted_at is null
    for key share of accounts skip locked`);
}

/** Deletes the oldest requests of an account that has too many. */
export async function trimLoggedRequests(db: Executor, accountId: string): Promise<void> {
  await db.execute(sql`
    delete from logged_requests where id in (
      select id from (
        select id, is_frequent,
          row_number() over (partition by is_frequent order by created_at desc, id desc) as position
        from (
          select id, created_at, ${IS_FREQUENT} as is_frequent
          from logged_requests where account_id = ${accountId}
        ) own
      ) numbered
      where position > case when is_frequent then ${FREQUENT_REQUESTS_MAX}::int else ${REQUESTS_MAX}::int end
    )`);
}
