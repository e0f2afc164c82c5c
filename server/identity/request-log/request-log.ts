import { sql } from 'drizzle-orm';
import type { Context } from '../../base/context.ts';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import { purgeRows } from '../../base/database/queries.ts';
import type { Logger } from '../../base/log.ts';

/** Request to the API, as its account may look at it later. Its texts can be stored, and hold no secret. */
export type LoggedRequest = Omit<typeof schema.loggedRequests.$inferSelect, 'id'>;

/** Newest requests of an account that are kept, and those of them that come often and say little. */
const REQUESTS_MAX = 10_000;

const FREQUENT_REQUESTS_MAX = 2_000;

/**
 * Reads that succeeded, such as a job's status, the polls of self-hosted workers for jobs, and refusals by the rate limit.
 */
const IS_FREQUENT = sql`(status < 400 and (method in ('GET', 'HEAD') or starts_with(path, '/api/v2/worker/'))
  or status = 429)`;

/** Requests that wait to be written, of all accounts and of one: further ones are not logged. */
const WAITING_MAX = 2_000;

const WAITING_OF_ACCOUNT_MAX = 500;

/** Time in which requests are gathered, to be written by one statement. */
const GATHER_MS = 1_000;

/** Requests of an account that this process writes before it looks whether old ones must go. */
const WRITTEN_BEFORE_TRIM = 1_000;

/** Accounts whose number of written requests is known. All of them are looked at again after that. */
const COUNTED_ACCOUNTS_MAX = 10_000;

/**
 * Log of the requests to the API. A request waits for nothing: it is gathered in memory, and written with those of the
 * same second. What a process has gathered is lost when it is killed.
 */
export class RequestLog {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #written = new Map<string, number>();
  #waiting: LoggedRequest[] = [];
  #waitingOf = new Map<string, number>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Db, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Adds a request. Leaves it out where too many wait. */
  add(request: LoggedRequest): void {
    const ofAccount = this.#waitingOf.get(request.accountId) ?? 0;
    if (this.#waiting.length >= WAITING_MAX || ofAccount >= WAITING_OF_ACCOUNT_MAX) {
      this.#dropped += 1;
      return;
    }
    this.#waitingOf.set(request.accountId, ofAccount + 1);
    this.#waiting.push(request);
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  /** Writes what waits, after what is being written. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const [requests, dropped] = [this.#waiting, this.#dropped];
    [this.#waiting, this.#dropped] = [[], 0];
    this.#waitingOf = new Map();
    if (dropped > 0)
      this.#log.warn(
        { dropped },
        'too many requests at once: some are missing from the logs of their accounts',
      );
    if (requests.length === 0) return;
    try {
      await writeLoggedRequests(this.#db, requests);
      for (const accountId of this.#countWritten(requests)) await trimLoggedRequests(this.#db, accountId);
    } catch (err) {
      this.#log.warn({ err, requests: requests.length }, 'requests not logged');
    }
  }

  /** Counts what was written. @returns the accounts of which old requests may have to go */
  #countWritten(requests: readonly LoggedRequest[]): string[] {
    if (this.#written.size > COUNTED_ACCOUNTS_MAX) this.#written.clear();
    for (const { accountId } of requests) {
      this.#written.set(accountId, (this.#written.get(accountId) ?? WRITTEN_BEFORE_TRIM) + 1);
    }
    const due = [...new Set(requests.map(({ accountId }) => accountId))].filter(
      (accountId) => (this.#written.get(accountId) ?? 0) >= WRITTEN_BEFORE_TRIM,
    );
    for (const accountId of due) this.#written.set(accountId, 0);
    return due;
  }
}

const logs = new WeakMap<Db, RequestLog>();

/** Returns the log of this process. */
export function openRequestLog({ db, log }: { readonly db: Db; readonly log: Logger }): RequestLog {
  const known = logs.get(db) ?? new RequestLog(db, log);
  logs.set(db, known);
  return known;
}

/**
 * Writes requests in one statement. Leaves out those of accounts that were deleted, or are being deleted: it waits for
 * no lock, and holds accounts until its end, so that a deletion finds what was written before it.
 */
async function writeLoggedRequests(db: Executor, requests: readonly LoggedRequest[]): Promise<void> {
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
async function trimLoggedRequests(db: Executor, accountId: string): Promise<void> {
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

/**
 * Deletes requests that came more than REQUEST_LOG_DAYS ago.
 * @returns how many
 */
export async function purgeLoggedRequests({ db, env }: Pick<Context, 'db' | 'env'>): Promise<number> {
  const { loggedRequests } = schema;
  const isDue = sql`${loggedRequests.createdAt} < now() - ${env.REQUEST_LOG_DAYS} * interval '1 day'`;
  return await purgeRows(db, loggedRequests, isDue);
}
