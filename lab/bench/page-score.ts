/** Figures of a page's first visit that its score counts. */
export interface PageFigures {
  readonly fcpMs: number;
  readonly lcpMs: number;
  readonly tbtMs: number;
  readonly cls: number;
}

interface Curve {
  readonly weight: number;
  /** Value with a score of 0.9. */
  readonly p10: number;
  /** Value with a score of 0.5. */
  readonly median: number;
}

/**
 * Curves and weights of Lighthouse's performance score on phones (version 10 and later, "Lighthouse scoring
 * calculator"). Its Speed Index, a tenth of the whole, is left out: it takes a film of the page.
 */
const CURVES: Readonly<Record<keyof PageFigures, Curve>> = {
  fcpMs: { weight: 10, p10: 1800, median: 3000 },
  lcpMs: { weight: 25, p10: 2500, median: 4000 },
  tbtMs: { weight: 30, p10: 200, median: 600 },
  cls: { weight: 25, p10: 0.1, median: 0.25 },
};

/** Inverse of the complementary error function at 1/5: the score at `p10` is 0.9. */
const INVERSE_ERFC_OF_FIFTH = 0.9061938024368232;

/** Returns the performance score, 0 to 100. */
export function computePageScore(figures: PageFigures): number {
  const names = Object.keys(CURVES) as (keyof PageFigures)[];
  const weights = names.reduce((sum, name) => sum + CURVES[name].weight, 0);
  const score = names.reduce(
    (sum, name) => sum + CURVES[name].weight * getScore(figures[name], CURVES[name]),
    0,
  );
  return (100 * score) / weights;
}

/** Returns the share of pages that are slower: 1 minus the log-normal distribution. */
function getScore(value: number, { p10, median }: Curve): number {
  if (value <= 0) return 1;
  const x = (Math.log(value / median) * INVERSE_ERFC_OF_FIFTH) / -Math.log(p10 / median);
  return (1 - erf(x)) / 2;
}

/** Error function: Abramowitz and Stegun 7.1.26, off by at most 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const factors = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const polynomial = factors.reduce((sum, factor) => (sum + factor) * t, 0);
  return Math.sign(x) * (1 - polynomial * Math.exp(-x * x));
}
