import { expect, test } from 'vitest';
import { csvRow } from '../../../../models/core/operation/csv.ts';

/** Reads each cell as a spreadsheet does that splits lines at a sign, and takes a quote within a cell for text. */
const cellsBy = (separator: RegExp, row: string): string[] =>
  row.split(separator).map((cell) => cell.replace(/^"/, '').trim());

test.each([
  ';=1+2',
  'a;=1+2',
  'a;\t=1+2',
  'a\t\t=1+2',
  'a\t\n=1+2',
  'a; \t \uff1d1+2',
  '\t=1+2',
  ' =1+2',
  'a;;@x',
])('no cell of %j is a formula, wherever a reader ends cells', (text) => {
  const row = csvRow(['x', text]);
  for (const separator of [/,/, /;/, /\t/, /\r?\n/, /[;\t\r\n,]/]) {
    expect(cellsBy(separator, row).filter((cell) => /^[=+@\uff1d-]/.test(cell))).toEqual([]);
  }
});

test('amounts stay numbers', () => {
  expect(csvRow(['-5.00', '12', 'a, b'])).toBe('-5.00,12,"a, b"\r\n');
});
