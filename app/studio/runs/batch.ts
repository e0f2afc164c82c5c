import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { RunResult } from '../../../models/core/operation/run-result.ts';
import type { Draft, Progress, ReportDraft, ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { DeviceSettings } from '../../../models/media/image/device-settings.ts';
import type { ParamValues } from '../tools/fields.ts';

/** Location where a file is processed. */
export type RunLocation = 'device' | 'server';

/** Result of one file, from the device or the server. */
export interface FileResult extends Pick<RunResult, 'files' | 'details'> {
  /** Sentences for the visitor. */
  readonly warnings: readonly string[];
  /** Engine that ran. Absent for a file that the page itself derived from a result. */
  readonly engine?: string;
  /** Names of the files that their params ask for, in order; absent where these ask for none. */
  readonly names?: readonly string[];
  /** Addition to the source's name: `-cutout`. */
  readonly suffix?: string | undefined;
  /** Bytes sent and price, when the server ran it; the price is a decimal string in US dollars. */
  readonly server?: { readonly sentBytes: number; readonly chargedUsd: string };
}

export type ItemState =
  | {
      readonly phase: 'waiting';
      /** Whether a reload, or the end of the tab, stopped its run. */
      readonly wasStopped?: boolean;
    }
  | ({
      readonly phase: 'running';
      readonly isOnServer?: boolean;
      /** Coarse form of the result, once there is one. */
      readonly draft?: Draft | undefined;
    } & Progress)
  | {
      readonly phase: 'done';
      readonly result: FileResult;
      readonly durationSeconds: number;
      /** Values of the form that the run followed. */
      readonly resultParams?: ParamValues | undefined;
      /** Whether a live run made it, which starts without a button. */
      readonly isLive?: boolean;
      /** Reason why a later run failed and this earlier result stays. */
      readonly rerunError?: string;
    }
  | {
      readonly phase: 'failed';
      readonly message: string;
      readonly code: ErrorCode;
      /** Values of the form that the run followed. */
      readonly resultParams?: ParamValues | undefined;
    };

export type DoneState = Extract<ItemState, { phase: 'done' }>;

export interface BatchItem {
  readonly id: number;
  readonly file: File;
  readonly state: ItemState;
}

export interface BatchView {
  readonly items: readonly BatchItem[];
  readonly isRunning: boolean;
}

/** Params and location of a run over files. */
export interface RunRequest {
  readonly paramsFor: (file: File) => object;
  /** Settles once the params of a file are known; absent where they follow from the form alone. */
  readonly prepare?: (file: File) => Promise<void>;
  /** Settings that only a run on this device has. */
  readonly settings?: DeviceSettings | undefined;
  readonly location: RunLocation;
  /** Values of the form that all of it follows from. */
  readonly values?: ParamValues;
  /** Whether the run started automatically: where files cannot be downloaded, an earlier result stays, without a failure. */
  readonly isAutomatic?: boolean;
}

export type RunFile = (
  file: File,
  request: RunRequest,
  options: { signal: AbortSignal; onProgress: ReportProgress; onDraft?: ReportDraft },
) => Promise<FileResult>;
