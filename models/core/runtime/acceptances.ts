import type { ReportProgress } from './progress.ts';

/** Result of an engine's acceptance test, as far as one is known. */
export type AcceptanceStatus =
  | {
      readonly state: 'passed';
      /** Figure by which engines of an operation compare: the higher, the better. */
      readonly quality: number;
      /** Time for each megapixel or second, in seconds. */
      readonly seconds: number;
      /** Whether it takes longer than `auto` may. */
      readonly isSlow: boolean;
    }
  | { readonly state: 'failed'; readonly reason: string }
  /** Not measured on this device, nor where it was released. */
  | { readonly state: 'unknown' };

export interface MeasuringOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ReportProgress;
}

/** Results of acceptance tests on this device. */
export interface Acceptances {
  /** @param operation id of the operation */
  find(operation: string, engine: string): Promise<AcceptanceStatus>;
  /**
   * Measures an engine before its first use, and remembers the result.
   * @throws OperationError when it could not be measured
   */
  measure(operation: string, engine: string, options: MeasuringOptions): Promise<AcceptanceStatus>;
}
