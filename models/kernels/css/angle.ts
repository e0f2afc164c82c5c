import { splitNumber } from './number.ts';

const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/**
 * Parses an angle to degrees.
 * @returns null for anything else
 */
export function parseAngle(word: string): number | null {
  const parts = splitNumber(word);
  const degrees = parts && Object.hasOwn(DEGREES, parts.unit) ? DEGREES[parts.unit] : undefined;
  return parts && degrees !== undefined ? parts.number * degrees : null;
}
