/**
 * Profiles of the major and the minor key of C: how well each pitch class fits (C. L. Krumhansl, E. J. Kessler,
 * Psychological Review 89, 1982).
 */
const PROFILES = {
  major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
} as const;
const NAMES = ['C', 'D♭', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'] as const;
/** Correlation below which no key is named: of noise it is about 0.3. */
const CERTAIN = 0.55;

/**
 * Finds the key whose profile correlates best with pitch classes (C. L. Krumhansl, Cognitive Foundations of Musical
 * Pitch, 1990, chapter 4).
 * @param chroma share of each pitch class, from C on
 * @returns such as `A minor`; null where none fits
 */
export function findKey(chroma: readonly number[]): string | null {
  let best = { name: '', fit: CERTAIN };
  for (const [mode, profile] of Object.entries(PROFILES)) {
    for (const [tonic, name] of NAMES.entries()) {
      const fit = correlation(
        chroma,
        profile.map((_, at) => profile[(at - tonic + 12) % 12] as number),
      );
      if (fit > best.fit) best = { name: `${name} ${mode}`, fit };
    }
  }
  return best.name || null;
}

/** Pearson's correlation of two lists of one length. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [oneMean, otherMean] = [mean(one), mean(other)];
  let [product, oneSquare, otherSquare] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const [a, b] = [value - oneMean, other[at] - otherMean];
    product += a * b;
    oneSquare += a * a;
    otherSquare += b * b;
  }
  return oneSquare > 0 && otherSquare > 0 ? product / Math.sqrt(oneSquare * otherSquare) : 0;
}
