import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { batchId, batchPath } from '../../models/core/operation/batch.ts';
import { getCommand, type Operation } from '../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../models/core/operation/money.ts';
import { withArticle } from '../../models/core/operation/text.ts';
import { OPERATIONS } from '../../models/registry.ts';

const BEGIN = '<!-- Written by `npm run generate` from the operations. Do not edit. -->';
const END = '<!-- End of the generated table. -->';

/** Documents with a table of operations, and how it is written. */
const TABLES: Readonly<Record<string, (operations: readonly Operation[]) => string>> = {
  'docs/api.md': requestTable,
  'docs/cli.md': commandTable,
};

/**
 * Returns the documents with their tables up to date, by their path.
 * @throws Error when a document has no place for its table
 */
export async function docTables(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = Object.entries(TABLES).map(async ([path, write]) => {
    const text = await readFile(join(root, path), 'utf8');
    const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
    if (from < 0 || to < from) throw new Error(`${path}: has no lines ${BEGIN} and ${END}`);
    const table = write(Object.values(OPERATIONS));
    return [path, `${text.slice(0, from)}${BEGIN}\n\n${table}\n\n${text.slice(to)}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Lists the prices of an operation: `$0.01 an image, $0.05 a started second of video`. */
export function describePrices({ rates, isComposite }: Pick<Operation, 'rates' | 'isComposite'>): string {
  if (isComposite) return 'the prices of its steps';
  const prices = Object.values(rates).map(({ amount, per }) => `$${formatUsd(amount)} ${withArticle(per)}`);
  return prices.join(', ');
}

/** Writes the path, key and price of each operation and its batches. */
function requestTable(operations: readonly Operation[]): string {
  const rows = operations.flatMap((operation) => {
    const { id, path, authentication, batch } = operation;
    const header = authentication === 'bearer' ? 'Authorization: Bearer' : 'Ocp-Apim-Subscription-Key:';
    const key = `\`${header} mk_…\``;
    return [
      [`\`${id}\``, `\`POST ${path}\``, key, describePrices(operation)],
      ...(batch
        ? [
            [
              `\`${batchId(id)}\``,
              `\`POST ${batchPath(operation)}\``,
              key,
              'the same, for each item that succeeds',
            ],
          ]
        : []),
    ];
  });
  return getTable(['`model_id`', 'Path below `/api`', 'Key', 'Price'], rows);
}

/** Writes the command of each operation with flags. */
function commandTable(operations: readonly Operation[]): string {
  const rows = operations
    .filter(({ isComposite }) => !isComposite)
    .map((operation) => [`\`${getCommand(operation).name}\``, operation.summary]);
  return getTable(['Command', 'Operation'], rows);
}

function getTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
