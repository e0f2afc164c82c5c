/** Order to the process of the relays: opens one, or changes one that is open. */
export interface RelayOrder {
  readonly name: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly target: { readonly host: string; readonly port: number };
  /** Delay of each direction, in ms. */
  readonly delayMs: number;
  readonly isStalled: boolean;
  /** Connections of earlier generations are stalled for ever, as those to a machine that is lost. */
  readonly generation: number;
}
