import type { RunWarning } from '../runtime/run-warnings.ts';
import type { Json } from './json.ts';

export interface OutputFile {
  /** File name with extension, unique within the run: also its name in storage, URLs and downloads. */
  readonly name: string;
  readonly mediaType: string;
  readonly blob: Blob;
}

/** Result of a run. It always names the engine that ran. */
export interface RunResult {
  /** Empty for a run whose details are the result. */
  readonly files: readonly OutputFile[];
  readonly engine: string;
  /** Sentences for the user about parts of the request that could not be fulfilled. */
  readonly warnings: readonly RunWarning[];
  /** Further findings, under the names they have in a response. Stored with the job. */
  readonly details?: Readonly<Record<string, Json>>;
}

/** Limits of one run. */
export interface RunLimits {
  /** A longer run is aborted. */
  readonly runSecondsMax: number;
  /** A run whose process holds more is aborted. */
  readonly memoryBytesMax: number;
}

/** Limits of any input and run; `limitsFor` narrows those of a run. No run ever holds more than `memoryBytesMax`. */
export interface OperationLimits extends RunLimits {
  readonly inputBytesMax: number;
}
