import { gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../base/db.ts';

/** Message for a result that comes after its job's deadline, or not at all. */
export const DEADLINE_EXCEEDED = 'The result did not come in time. Nothing was charged; try again.';

const { deadlineAt } = schema.jobs;

/** Condition that holds for a job whose result somebody may still receive, by the database's clock. */
export function isBeforeDeadline(): SQL | undefined {
  return or(isNull(deadlineAt), gt(deadlineAt, sql`now()`));
}

/** Expression that is true for a job beyond its deadline. */
export function isOverdue(): SQL<boolean> {
  return sql<boolean>`coalesce(${lte(deadlineAt, sql`now()`)}, false)`;
}
