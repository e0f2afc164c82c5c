const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/**
 * Parses an angle to degrees.
 * @returns null for anything else
 */
export function parseAngle(word: string): number | null {
  const [, number, unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+))(deg|grad|rad|turn)?$/.exec(word) ?? [];
  return number === undefined ? null : Number(number) * (DEGREES[unit] as number);
}
