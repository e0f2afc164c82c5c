/** File of weights that a run used. */
export interface UsedWeights {
  readonly id: string;
  /** In hex. */
  readonly sha256: string;
}
