/**
 * Signs with which a cell is a formula to spreadsheets, those of full width among them. Some take a semicolon or a tab
 * for the end of a cell.
 */
const FORMULA = /(^|[;\t\r\n])(\s*)([=+@\uff1d\uff0b\uff20\uff0d-])/g;
const AMOUNT = /^-?\d+\.\d+$/;

/** Writes a row of a table as CSV (RFC 4180), with its end of line. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** Quotes a cell where needed. No text in it is a formula. */
function cell(text: string): string {
  const guarded = AMOUNT.test(text) ? text : text.replace(FORMULA, "$1$2'$3");
  const safe = /^[\t\r]/.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
