import type { Acceptances } from './acceptances.ts';
import type { ReportProgress } from './progress.ts';
import type { RunWarning } from './run-warnings.ts';
import type { Tensor, TensorSpec } from './tensor.ts';
import type { WeightCard } from './weight-card.ts';

/** Outputs of a graph and the execution provider that computed them. */
export interface InferenceResult {
  readonly outputs: Readonly<Record<string, Tensor>>;
  /** Execution provider: `cpu`, `webgpu`, `wasm`, or an inference server. */
  readonly provider: string;
  /** Sentences about providers that failed before this one. */
  readonly notices: readonly RunWarning[];
}

/** Graph with its weights, ready to run. Runs of one session are sequential. */
export interface Session {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /**
   * Runs the graph.
   * @param feeds one tensor per input, by name
   * @param wanted names of the outputs that the result needs; all when absent. Some graphs have many more
   */
  run(
    feeds: Readonly<Record<string, Tensor>>,
    signal: AbortSignal,
    wanted?: readonly string[],
  ): Promise<InferenceResult>;
}

export interface WeightOptions {
  readonly signal: AbortSignal;
  /** Receives the progress of loading weights and runtime. */
  readonly onProgress?: ReportProgress;
}

/** Access to models for an operation. */
export interface Inference {
  /**
   * Tells whether a model can run: `ready` needs no download; `download` must fetch the weights first, which may
   * fail; `on-request` as well, and only if the user names this model, since the user's own connection pays;
   * `unavailable` needs more memory than there is, or weights that may not be fetched.
   */
  availability(card: WeightCard): Promise<'ready' | 'download' | 'on-request' | 'unavailable'>;
  /**
   * Opens or reuses a session while `work` runs.
   * @throws OperationError `unavailable` when the weights cannot be downloaded or no provider can run them
   */
  use<Result>(
    card: WeightCard,
    options: WeightOptions,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Reads a file that is no graph: the vocabulary of a tokenizer.
   * @throws OperationError `unavailable` when it cannot be downloaded
   */
  read(card: WeightCard, options: WeightOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Absent where engines are taken as they come, in the order of their list. */
  readonly acceptances?: Acceptances | undefined;
}

/** Source of weights: a store on disk, a browser's private files, the package itself. */
export interface WeightSource {
  /** Reports whether `read` works offline. */
  has(card: WeightCard): Promise<boolean>;
  /**
   * Reads the verified bytes; their SHA-256 always matches the card.
   * @throws OperationError `unavailable` with the reason
   */
  read(card: WeightCard, options: WeightOptions): Promise<Uint8Array<ArrayBuffer>>;
}
