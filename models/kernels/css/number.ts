/**
 * Digits may follow a point only once it is there: two runs side by side would take quadratic time on a long number.
 */
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([a-z%]*)$/;

/**
 * Divides a lower-case CSS number from its unit, which may be empty.
 * @returns null for anything else, and for a number beyond those of JavaScript
 */
export function splitNumber(word: string): { readonly number: number; readonly unit: string } | null {
  const [, digits, unit = ''] = NUMBER.exec(word) ?? [];
  const number = Number(digits);
  return digits !== undefined && Number.isFinite(number) ? { number, unit } : null;
}
