import type { AudioFormat } from '../runtime/audio-codec.ts';
import type { ImageSize } from '../runtime/raster.ts';
import type { RunWarning } from '../runtime/run-warnings.ts';
import type { VideoFormat } from '../runtime/video-codec.ts';
import type { Json } from './json.ts';

interface NamedFile {
  /** File name with extension, as that of a true result. */
  readonly name: string;
}

/** Marked image. */
export interface TestImage extends NamedFile, ImageSize {
  readonly kind: 'image';
  /** Id of its format. */
  readonly format: string;
  /** Whether the pixels around the mark are transparent. */
  readonly isTransparent?: boolean;
}

/** Marked video of that length, with the audio of the input. */
export interface TestVideo extends NamedFile, ImageSize {
  readonly kind: 'video';
  readonly format: VideoFormat;
  readonly durationSeconds: number;
  /** Whether the pixels around the mark are transparent. A transparent mp4 has its matte below its colours. */
  readonly isTransparent?: boolean;
}

/** Stereo tone at 44.1 kHz. */
export interface TestAudio extends NamedFile {
  readonly kind: 'audio';
  readonly format: AudioFormat;
  readonly durationSeconds: number;
  /** Frequency of the tone. */
  readonly hertz: number;
}

/** JSON document. */
interface TestDocument extends NamedFile {
  readonly kind: 'json';
  readonly content: Json;
}

export type TestFile = TestImage | TestVideo | TestAudio | TestDocument;

/** Description of the result that a test key gets: as a true one would be, by type and size. */
export interface TestResult {
  readonly files: readonly TestFile[];
  /** Further findings, as those of a run. */
  readonly details?: Readonly<Record<string, Json>>;
}

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
  /** A run whose process uses the processor for longer, in all its threads, fails. Unlimited when absent. */
  readonly processorSecondsMax?: number;
}

/** Limits of any input and run; `limitsFor` narrows those of a run. No run ever holds more than `memoryBytesMax`. */
export interface OperationLimits extends RunLimits {
  readonly inputBytesMax: number;
}
