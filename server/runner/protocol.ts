import type { ErrorCode } from '../../models/errors.ts';

/** What the runner asks of a child: one run, on local files. */
export interface RunRequest {
  readonly operationId: string;
  readonly params: unknown;
  readonly inputPath: string;
  /** Local paths by the name of the param. */
  readonly attachmentPaths: Readonly<Record<string, string>>;
  /** Exists and is empty; the files are written here under their names. */
  readonly outputDirectory: string;
}

/** A file that a run has written to the output directory. */
export interface ProducedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256Hex: string;
}

/** What a child says. `done` and `failed` end a run; afterwards it is ready for the next. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly fraction: number }
  | Done
  | Failed;

export interface Done {
  readonly kind: 'done';
  readonly files: readonly ProducedFile[];
  readonly engine: string;
  readonly warnings: readonly string[];
  readonly details: Readonly<Record<string, string | number>>;
  /** What the run took, without the writing of its files. */
  readonly durationMs: number;
  /** What networks that stay warm for the next run hold: not that run's doing. */
  readonly networkBytes: number;
}

export interface Failed {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  /** For the user. */
  readonly message: string;
  /** For the log. */
  readonly detail?: string | undefined;
}
