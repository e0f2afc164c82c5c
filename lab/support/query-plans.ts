import { drizzle } from 'drizzle-orm/postgres-js';
import { type Db, schema } from '../../server/base/database/db.ts';

/** Statement as the product sent it. */
export interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** Node of a plan, as `explain (format json)` gives it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface StatementLog {
  /** The same connections, whose statements are recorded. */
  readonly db: Db;
  /** Records the statements of some work, those apart that PostgreSQL has no plan for. */
  record(work: () => Promise<unknown>): Promise<Statement[]>;
}

/** Records the statements that go through a database. */
export function recordStatements({ $client }: Db): StatementLog {
  let statements: Statement[] | undefined;
  const logger = {
    logQuery: (text: string, params: unknown[]) => void statements?.push({ text, params }),
  };
  return {
    db: drizzle($client, { schema, logger }),
    async record(work) {
      const made: Statement[] = [];
      statements = made;
      await work().finally(() => {
        statements = undefined;
      });
      return made.filter(({ text }) =>
        /^\s*(\/\*.*?\*\/\s*)?(select|with|insert|update|delete)\b/i.test(text),
      );
    },
  };
}

/**
 * Returns the plan of a statement, which it does not run.
 * @param isGeneric takes the plan for any values, which PostgreSQL may keep for a prepared statement (since 16)
 */
export async function explainStatement(
  { $client }: Db,
  { text, params }: Statement,
  isGeneric = false,
): Promise<PlanNode> {
  const [row] = await $client.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `explain (format json${isGeneric ? ', generic_plan' : ''}) ${text}`,
    isGeneric ? [] : (params as string[]),
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error(`There is no plan of ${text}`);
  return plan;
}

/** Lists the nodes of a plan that read tables, outermost first. */
export function listScans(plan: PlanNode): PlanNode[] {
  const own = / Scan$/.test(plan['Node Type']) && (plan['Relation Name'] ?? plan['Index Name']) ? [plan] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(listScans)];
}

/** Names the tables that a plan scans whole. */
export function listWholeScans(plan: PlanNode): string[] {
  return listScans(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '');
}
