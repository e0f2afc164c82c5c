import Link from 'next/link';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { ToolLink } from '../tools/tool-link.tsx';
import { groupTools, TOOL_LIST, type ToolGroup } from '../tools/tools.ts';
import { Example, VerdictExample } from './example.tsx';
import styles from './tool-grid.module.css';
import { TypicalTime } from './typical-time.tsx';

interface ToolGridProps {
  /** Operations with their prices. */
  readonly operations: Readonly<Record<OperationId, Operation>>;
}

/** All tools by medium, each with a result that the product made, and its price on our server. */
export function ToolGrid({ operations }: ToolGridProps) {
  return (
    <section aria-labelledby="tools">
      <h2 id="tools">Tools</h2>
      {groupTools().map((group) => (
        <Medium key={group.medium} group={group} operations={operations} />
      ))}
      <p>
        <Link href="/recipes">Recipes</Link> run several tools in a row, over a whole folder.
      </p>
    </section>
  );
}

function Medium({ group: { title, tools }, operations }: ToolGridProps & { readonly group: ToolGroup }) {
  return (
    <div className={styles.medium}>
      <h3>{title}</h3>
      <ul>
        {tools.map((tool) => (
          <li key={tool.slug}>
            <Card tool={tool} operation={operations[tool.operationId]} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Card({ tool, operation }: { readonly tool: Tool; readonly operation: Operation }) {
  const { operationId, slug, name, promise, sample, hasVerdict = false } = tool;
  const [price] = Object.values(operation.rates);
  return (
    <>
      <div className={styles.result}>
        {hasVerdict ? <VerdictExample sample={sample} /> : <Example sample={sample} />}
      </div>
      <h4>
        <ToolLink slug={slug} operationId={operationId}>
          {name}
        </ToolLink>
      </h4>
      <p>{promise}</p>
      <p className="facts">
        Free here
        <TypicalTime operationId={operationId} />
        {price && ` · by API $${formatUsd(price.amount)} per ${price.per}`}
      </p>
    </>
  );
}

/** Every tool by name, in the first window of the home page. */
export function ToolList() {
  return (
    <nav aria-label="Tools" className={styles.tools}>
      <ul>
        {TOOL_LIST.map(({ slug, name, icon: Icon }) => (
          <li key={slug}>
            <Link href={`/${slug}`}>
              <Icon size={20} strokeWidth={1.5} aria-hidden />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
