import type { Outcome } from './outcome.ts';
import { latencyRatio } from './verdict.ts';

/** Scenario that has run. */
export interface Row {
  readonly name: string;
  readonly outcome: Outcome;
  readonly faults: readonly string[];
}

const HEADS = [
  'Scenario',
  'Jobs',
  'Completed',
  'Failed',
  'In ERROR',
  'Charges',
  'Runs to the end, most',
  'Repeated attempts',
  'Calls given up',
  'Healthy part, median (p95)',
  'Against baseline',
  'Verdict',
] as const;

const MISSING = '–';

/** Writes rows as a Markdown table, with columns of equal width. @param baselineMs median latency without a fault */
export function formatTable(rows: readonly Row[], baselineMs: number | null): string {
  const lines = [[...HEADS], ...rows.map((row) => getCells(row, baselineMs))];
  const widths = HEADS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const join = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (isFigure(column) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  const [head = [], ...body] = lines;
  return [join(head), rule, ...body.map(join)].join('\n');
}

function getCells({ name, outcome, faults }: Row, baselineMs: number | null): string[] {
  const { healthyMs } = outcome;
  const ratio = latencyRatio(outcome, baselineMs);
  const counts = [
    outcome.submitted,
    outcome.completed,
    outcome.failed,
    outcome.inError,
    outcome.charges,
    outcome.runsToEndMax,
    outcome.repeated,
    outcome.givenUp,
  ];
  return [
    name,
    ...counts.map(String),
    healthyMs ? `${Math.round(healthyMs.median)} ms (${Math.round(healthyMs.p95)})` : MISSING,
    ratio === null ? MISSING : `×${ratio.toFixed(2)}`,
    faults.length === 0 ? 'as it must be' : faults.join(', '),
  ];
}

/** Reports whether a column holds figures, which stand at its right. */
function isFigure(column: number): boolean {
  return column > 0 && column < HEADS.length - 1;
}

function pad(cell: string, width: number, column: number): string {
  return isFigure(column) ? cell.padStart(width) : cell.padEnd(width);
}
