import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { Json } from '../../../models/core/operation/json.ts';
import type { FileFacts } from '../../../models/core/operation/result-file.ts';
import type { Loading, Progress } from '../../../models/core/runtime/progress.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import type { SpanName } from '../../../models/core/runtime/spans.ts';
import type { UsedWeights } from '../../../models/core/runtime/weight-card.ts';
import type { ForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import type { Dependency } from '../../base/outage.ts';

/** Run of a test key. */
export interface TestRun {
  /** Outcome that it is forced to have, if any. */
  readonly outcome: ForcedOutcome | null;
}

/** Request of the runner to a child: one run, on local files. */
export interface RunRequest {
  readonly operationId: string;
  /** Present for a run of a test key. */
  readonly test?: TestRun;
  readonly params: unknown;
  readonly inputPath: string;
  /** Local paths by param name. */
  readonly attachmentPaths: Readonly<Record<string, string>>;
  /** Existing empty folder; the files are written here under their names. */
  readonly outputDirectory: string;
  /** Memory of the largest model that the run may load; unlimited when absent. */
  readonly modelBytesMax?: number;
  /** Whether its end reports the times of its stages. Traces are the runner's: the child knows no collector. */
  readonly timesStages?: boolean;
}

/** Calls of a stage in one run, which others may interrupt. */
export interface StageTime {
  readonly stage: SpanName;
  readonly calls: number;
  /** Sum of the calls' durations. */
  readonly busyMs: number;
  /** Unix time when the first call began. */
  readonly startedAtMs: number;
  /** Unix time when the last call ended. */
  readonly endedAtMs: number;
}

/** File that a run has written to the output directory. */
export interface ProducedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256Hex: string;
  readonly facts: FileFacts;
}

/** Message of a child. `done` and `failed` end a run; afterwards the child can take the next. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | WeightsRequest
  | Done
  | Failed;

/** Request of a child that cannot write the folder of weights, for a file that is missing or damaged there. */
export interface WeightsRequest {
  readonly kind: 'weights';
  readonly id: string;
}

/** Response to it: the bytes so far, or the end. */
export type WeightsReply =
  | { readonly kind: 'weights-loading'; readonly id: string; readonly loading: Loading }
  | { readonly kind: 'weights-end'; readonly id: string; readonly refusal?: string };

export interface Done {
  readonly kind: 'done';
  readonly files: readonly ProducedFile[];
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
  readonly details: Readonly<Record<string, Json>>;
  /** Files of weights that it used. */
  readonly weights: readonly UsedWeights[];
  /** Duration of the run, without writing its files. */
  readonly durationMs: number;
  /** Memory of models that stay warm for the next run: not caused by that run. */
  readonly modelBytes: number;
  /** Present when requested. */
  readonly stages?: readonly StageTime[];
}

export interface Failed {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  /** Sentence for the user. */
  readonly message: string;
  /** Field of the request that it is about. */
  readonly field?: string | undefined;
  /** Details for the log. */
  readonly detail?: string | undefined;
  /** Dependency whose outage ended the run. */
  readonly outage?: Dependency;
  /** Whether the run itself rejected its input. After other failures the child's state is unknown. */
  readonly isInputRejected: boolean;
  /** As in {@link Done}. */
  readonly modelBytes: number;
  /** Present when requested. */
  readonly stages?: readonly StageTime[];
}
