import type { Tensor, TensorPort } from './tensor.ts';
import type { WeightCard } from './weights/weight-card.ts';

/** What a graph computed, and on what. */
export interface Inferred {
  readonly outputs: Readonly<Record<string, Tensor>>;
  /** Who computed it: `cpu`, `webgpu`, `wasm`, or an inference server. */
  readonly provider: string;
  /** Sentences about providers that failed before this one. */
  readonly notices: readonly string[];
}

/** A graph with its weights, ready to run. Runs of one session take turns. */
export interface Session {
  readonly inputs: readonly TensorPort[];
  readonly outputs: readonly TensorPort[];
  /** @param feeds one tensor for each input, by name */
  run(feeds: Readonly<Record<string, Tensor>>, signal: AbortSignal): Promise<Inferred>;
}

export interface WeightOptions {
  readonly signal: AbortSignal;
  /** @param fraction that is here of what has to be loaded, weights and what runs them, 0 to 1 */
  readonly onProgress?: (fraction: number) => void;
}

/** How an operation reaches its networks. */
export interface Inference {
  /**
   * `ready`: nothing has to be downloaded; `download`: the weights have to be fetched first, which may fail;
   * `on-request`: that too, and only if the user names this network, since it is the user's own connection;
   * `unavailable`: not here: needs more memory than there is, or weights that may not be fetched.
   */
  availability(card: WeightCard): Promise<'ready' | 'download' | 'on-request' | 'unavailable'>;
  /**
   * Opens a session, or takes a warm one, for as long as `work` runs.
   * @throws OperationError `unavailable` when the weights cannot be had or no provider can run them
   */
  use<Result>(
    card: WeightCard,
    options: WeightOptions,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result>;
}

/** Where weights come from: a store on disk, a browser's private files, the package itself. */
export interface WeightSource {
  /** Whether `read` needs no network. */
  has(card: WeightCard): Promise<boolean>;
  /**
   * The verified bytes: never any whose SHA-256 is not the card's.
   * @throws OperationError `unavailable` saying why they cannot be had
   */
  read(card: WeightCard, options: WeightOptions): Promise<Uint8Array<ArrayBuffer>>;
}
