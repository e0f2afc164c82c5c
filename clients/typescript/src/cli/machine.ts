import type { OperationId, RunReport } from '../types.ts';

/** Run of an operation on files of this machine. */
export interface MachineRun {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputPath: string;
  /** Paths by param name. */
  readonly attachmentPaths: Readonly<Record<string, string>>;
  /** Existing empty folder for the files of the result. */
  readonly outputDirectory: string;
  readonly signal: AbortSignal;
  /** @param fraction of the run, 0 to 1 */
  readonly onProgress: (fraction: number) => void;
}

/** File that a run has written to its folder. */
export interface MadeFile {
  readonly name: string;
  readonly mediaType: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

type Reported<Outcome> = Outcome extends unknown ? Omit<Outcome, 'position'> : never;

/** Report of a run to the service, with the files of its result. */
export interface MachineReport {
  readonly report: Reported<RunReport>;
  /** In order; empty without a result. */
  readonly files: readonly MadeFile[];
}

/** End of a run: what is reported to the service, or why this machine cannot run it now. */
export type MachineEnd = MachineReport | { readonly fault: string };

/** This machine as the place where an account's own jobs run. */
export interface Machine {
  /** Runs an operation as the service would run it. Never rejects. */
  run(run: MachineRun): Promise<MachineEnd>;
  /** Ends all runs. */
  close(): void;
}
