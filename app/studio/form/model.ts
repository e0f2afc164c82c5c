import type { Fit } from '../../../models/core/device/fit.ts';
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

/** Words the terms of a model's licence: its name, what it asks for, and whether a paid service may use it. */
export function describeTerms({ licence: { name, consequence, commercial } }: WeightCard): string {
  const doubt = { no: 'No commercial use', unclear: 'Commercial use is unclear' } as const;
  const terms = [name, consequence?.replace(/\.$/, ''), commercial && doubt[commercial]];
  return terms.filter((term) => term !== undefined).join('. ');
}
