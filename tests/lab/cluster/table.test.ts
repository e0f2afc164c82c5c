import { expect, it } from 'vitest';
import { summarize } from '../../../lab/cluster/load/outcome.ts';
import { formatTable } from '../../../lab/cluster/load/table.ts';

it('writes a Markdown table whose columns are as wide as their cells', () => {
  const healthy = summarize(
    [{ requestId: 'a', latencyMs: 412.4, isAtHealthyPart: true, givenUp: 3, isReadable: true }],
    [{ id: 'a', status: 'COMPLETED', attempts: 1, charges: 1, runsToEnd: 1 }],
  );
  const rows = [
    { name: 'kill-web', outcome: healthy, faults: [] },
    { name: 'store-outage', outcome: summarize([], []), faults: ['1 lost', '2 in ERROR'] },
  ];
  const lines = formatTable(rows, 206.2).split('\n');
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(cells.slice(2)).toEqual([
    ['kill-web', '1', '1', '0', '0', '1', '1', '0', '3', '412 ms (412)', '×2.00', 'as it must be'],
    ['store-outage', '0', '0', '0', '0', '0', '0', '0', '0', '–', '–', '1 lost, 2 in ERROR'],
  ]);
  expect(cells[0]).toHaveLength(12);
  expect(cells[1]?.[0]).toMatch(/^-+$/);
  expect(cells[1]?.[1]).toMatch(/^-+:$/);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});
