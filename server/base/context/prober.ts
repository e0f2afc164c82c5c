import type { InputFacts, Media } from '../../../models/core/operation/inputs.ts';
import type { Logger } from '../log.ts';

/** Probe of a local file. */
export interface ProbeRequest {
  /** Operation whose limits apply; none of the file's own when absent. */
  readonly operationId?: string;
  readonly path: string;
  /** Expected kinds of the file. */
  readonly media: readonly Media[];
}

export interface ProbeOptions {
  /** Account, or network of a client without one. Its probes run one after the other. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Called when the owner's turn has come and a process is free: the wait before is due to others. */
  readonly onStart?: () => void;
}

/** Reads the facts about files that users give. */
export interface Prober {
  /**
   * Probes a local file.
   * @throws OperationError of the probe; `bad_request` when the file takes too much time or memory;
   *   `unavailable` when no process can be started; the signal's reason once aborted
   */
  probe(request: ProbeRequest, options: ProbeOptions): Promise<InputFacts>;
}
