import type { Standing } from '../runtime/acceptances.ts';

/** Engine with what is known of it. Null: it has no weights, and needs no test. */
export interface RankedEngine<Engine> {
  readonly engine: Engine;
  readonly standing: Standing | null;
}

/**
 * Ranks engines for `auto`: those that passed their test in time, the best figure first; then those without weights;
 * then the slow ones, the fastest first; then those that are not measured yet. One that failed is left out.
 * @param engines in their order, which decides among equals
 * @param keepsOrder whether the input has decided their order: then no figure changes it
 */
export function rankEngines<Engine>(engines: readonly RankedEngine<Engine>[], keepsOrder = false): Engine[] {
  return engines
    .filter(({ standing }) => standing?.state !== 'failed')
    .toSorted((one, other) => {
      const [a, b] = [one.standing, other.standing];
      const places = getPlace(a) - getPlace(b);
      if (places !== 0 || keepsOrder || a?.state !== 'passed' || b?.state !== 'passed') return places;
      return a.isSlow ? a.seconds - b.seconds : b.quality - a.quality;
    })
    .map(({ engine }) => engine);
}

function getPlace(standing: Standing | null): number {
  if (standing === null) return 1;
  if (standing.state !== 'passed') return 3;
  return standing.isSlow ? 2 : 0;
}
