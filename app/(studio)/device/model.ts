import type { Fit } from '../../../models/device/fit.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';

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
