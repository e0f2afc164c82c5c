import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { Json } from '../../../models/core/operation/json.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import type { UsedWeights } from '../../../models/core/runtime/weight-card.ts';
import type { StoredFile } from '../queries/job-row.ts';

/** Result with which a job completes. */
export interface JobResult {
  /** In the order in which the user sees them; empty for a batch, whose items have stored theirs already. */
  readonly files: readonly StoredFile[];
  /** Part of the hold to capture; when absent all of it, or none for an empty result. */
  readonly charge?: MicroUsd;
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
  readonly details?: Readonly<Record<string, Json>>;
  /** Files of weights that the run used; none when absent. */
  readonly weights?: readonly UsedWeights[];
}

/** Failed end of a job: FAILED is the input's fault, a retry gives the same; ERROR is ours. */
export interface Failure {
  readonly status: 'FAILED' | 'ERROR';
  /** Sentence for the user. */
  readonly message: string;
  /** Kind, for programs and for the operator. */
  readonly code?: ErrorCode;
  /** Field of the request that the failure is about. */
  readonly field?: string | undefined;
}

/** Returns the columns of a job that its result fills. */
export function resultColumns({ engine, warnings, details, weights = [] }: JobResult) {
  return { engine, warnings: [...warnings], details: details ?? null, weights: [...weights] };
}
