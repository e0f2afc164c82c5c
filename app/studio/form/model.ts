import type { Fit } from '../../../models/core/runtime/fit.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';

/** Model that a tool offers. */
export interface Model {
  readonly id: string;
  readonly name: string;
  readonly notes: readonly string[];
  /** Files that it needs, in the groups whose sizes are told apart. Absent where it needs none on this device. */
  readonly weights?: readonly (readonly WeightCard[])[];
  /** Whether it can run here, where a file tells more than the weights do. */
  readonly fit?: Fit | undefined;
}

const DOUBTS = { no: 'No commercial use', unclear: 'Commercial use is unclear' } as const;

/** Words the terms of a model's licence: its name, what it asks for, and whether a paid service may use it. */
export function describeTerms(card: WeightCard): string {
  const [name, doubt] = listTerms(card);
  return joinTerms([name, card.licence.consequence?.replace(/\.$/, ''), doubt]);
}

/** Words the same in short: what the licence asks for stands on the page of this device. */
export function describeLicence(card: WeightCard): string {
  return joinTerms(listTerms(card));
}

function listTerms({ licence: { name, commercial } }: WeightCard): readonly [string, string | undefined] {
  return [name, commercial && DOUBTS[commercial]];
}

function joinTerms(terms: readonly (string | undefined)[]): string {
  return terms.filter((term) => term !== undefined).join('. ');
}
