import { and, eq, getTableColumns, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { cutPage, isOlder, newestFirst, type TimeCursor } from '../../base/database/cursor.ts';
import { type Executor, schema } from '../../base/database/db.ts';

const { apiKeys, loggedRequests } = schema;

/** Statuses by their first digit. */
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;

interface LoggedRequestQuery {
  readonly accountId: string;
  /** Every status when absent. */
  readonly statusClass?: (typeof STATUS_CLASSES)[number] | undefined;
  /** Every method when absent. */
  readonly method?: string | undefined;
  /** Exactly this `X-Request-Id` or id of a job, or a part of the path. */
  readonly search?: string | undefined;
  /** Earliest time, included. */
  readonly from?: Date | undefined;
  /** Latest time, excluded. */
  readonly to?: Date | undefined;
  readonly after?: TimeCursor | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

export type LoggedRequestRow = Awaited<ReturnType<typeof selectRequests>>[number];

/**
 * Lists the requests of an account, newest first, by keyset.
 * @returns `next`, where the following page starts; null after the last one
 */
export async function listLoggedRequests(
  db: Executor,
  { accountId, statusClass, method, search, from, to, after, limit }: LoggedRequestQuery,
) {
  const found = await selectRequests(
    db,
    and(
      eq(loggedRequests.accountId, accountId),
      statusClass && sql`${loggedRequests.status} / 100 = ${Number(statusClass[0])}`,
      method === undefined ? undefined : eq(loggedRequests.method, method),
      search === undefined ? undefined : isFoundBy(search),
      from && gte(loggedRequests.createdAt, from),
      to && lt(loggedRequests.createdAt, to),
      after && isAfter(after),
    ),
    limit + 1,
  );
  const { page, next } = cutPage(found, limit, ({ id }) => String(id));
  return { requests: page, next };
}

/** Finds a request of an account; undefined when it has none of that id. */
export async function getLoggedRequest(
  db: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: bigint },
): Promise<LoggedRequestRow | undefined> {
  const isIt = and(eq(loggedRequests.id, id), eq(loggedRequests.accountId, accountId));
  const [found] = await selectRequests(db, isIt, 1);
  return found;
}

function selectRequests(db: Executor, condition: SQL | undefined, limit: number) {
  const { accountId, keyId, ...columns } = getTableColumns(loggedRequests);
  return db
    .select({ ...columns, keyName: apiKeys.name, keyPrefix: apiKeys.prefix })
    .from(loggedRequests)
    .leftJoin(apiKeys, eq(apiKeys.id, loggedRequests.keyId))
    .where(condition)
    .orderBy(...newestFirst(loggedRequests))
    .limit(limit);
}

function isFoundBy(search: string): SQL | undefined {
  return or(
    eq(loggedRequests.requestId, search),
    eq(loggedRequests.jobId, search),
    sql`strpos(${loggedRequests.path}, ${search}) > 0`,
  );
}

/** @throws OperationError `bad_request` when the cursor is not one of this list */
function isAfter(after: TimeCursor): SQL | undefined {
  if (!/^\d{1,18}$/.test(after.id)) throw fieldError('cursor', 'is not one that this list gave.');
  return isOlder(loggedRequests, after);
}
