import type { LucideIcon } from 'lucide-react';
import type { RunResult } from '../../../models/core/operation/run-result.ts';
import { listFormats } from '../../../models/media/image/find-format.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { MediaKind } from '../files/media-kind.ts';
import type { Sample } from '../files/samples.ts';

/** Presentation of an operation in the studio. Its definition says what it does and costs. */
export interface Tool {
  readonly operationId: OperationId;
  /** Path of the page, without the slash. */
  readonly slug: string;
  /** Name of the tool everywhere: the operation's title, which a page cannot load. */
  readonly name: string;
  readonly icon: LucideIcon;
  /** Purpose of the tool, in a few words under its name. */
  readonly brief: string;
  /** Benefit for the visitor, in one sentence. */
  readonly promise: string;
  readonly takes: readonly MediaKind[];
  /** Extensions for the file picker: some systems report no media type for these. */
  readonly extensions: readonly string[];
  readonly sample: Sample;
  /**
   * Runs of usual files on two cores of an AMD EPYC without a GPU, the second file of a tab (`npm run bench -- browser`);
   * absent where no runs were measured.
   */
  readonly measured?: readonly MeasuredTime[];
  /** Whether the result is a verdict in words, and no other image. */
  readonly hasVerdict?: true;
  /**
   * Large files that the tool's workers may load, by the beginnings of their names: they are kept with it for work
   * without a network. None when absent.
   */
  readonly largeFiles?: readonly string[];
  /** Addition to the names of results, where they are no other version of the same image. */
  readonly suffix?: string;
  /** Returns that addition where it says what a run found. */
  readonly getSuffix?: (details: NonNullable<RunResult['details']>) => string;
  /** Choices that the form starts with, where the API has another default or none, by param. */
  readonly startValues?: Readonly<Record<string, string>>;
  /** Whether the page itself estimates the time of runs, by a part of the image. */
  readonly hasOwnEstimate?: true;
}

/** Time of a run on a named machine. */
interface MeasuredTime {
  readonly seconds: number;
  /** Its work, in megapixels or seconds. */
  readonly amount: number;
  /** Part of the seconds that any run takes, however little its work is. None when absent. */
  readonly fixedSeconds?: number;
  /** Kind of runs that it stands for, of those of `RunWork`: `image`. */
  readonly kind: string;
  /** Whether runs of the kind take at most as long. */
  readonly isBound?: true;
}

/** Extensions of the images that the codecs of every tool read. */
export const IMAGE_EXTENSIONS: readonly string[] = listFormats().flatMap(({ extensions }) =>
  extensions.map((extension) => `.${extension}`),
);

/** Extensions of the recordings that many systems report no media type for. */
export const AUDIO_EXTENSIONS: readonly string[] = [
  '.aac',
  '.ac3',
  '.aiff',
  '.amr',
  '.flac',
  '.m4a',
  '.opus',
  '.wma',
];
