import { NO_MODELS } from '../../models/core/inference/model-errors.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { Inference } from '../../models/core/runtime/inference.ts';
import { createProgressMeter, type ReportProgress } from '../../models/core/runtime/progress.ts';
import type { Runtime } from '../../models/core/runtime/runtime.ts';
import { needsGplEncoder } from '../../models/media/image/gpl-formats.ts';
import { createLazyTempFolder } from '../base/temp-dir.ts';
import { createImageCodec } from './image-codec/index.ts';
import { createAudioCodec } from './media/audio-codec.ts';
import { createVideoCodec } from './media/video-codec.ts';

type Codecs = Pick<Runtime, 'images' | 'video'>;

export interface NodeRuntimeOptions {
  readonly signal: AbortSignal;
  /** Outlives the runtime, so that its sessions stay warm between runs; none when absent. */
  readonly inference?: Inference;
  /** Whether x264 and x265 may run. Defaults to true. */
  readonly gplEncoders?: boolean;
  readonly attachments?: ReadonlyMap<string, Blob>;
  /**
   * Folder for results that are too large for memory; its creator deletes it. Defaults to a folder that ends with the
   * process.
   */
  readonly scratchDirectory?: string;
  readonly onProgress?: ReportProgress;
}

/** Creates the operations' port in a Node process. For a child that can be killed: codecs block and may crash. */
export function createNodeRuntime(options: NodeRuntimeOptions): Runtime {
  const {
    signal,
    inference = NO_MODELS,
    gplEncoders = true,
    attachments = new Map(),
    scratchDirectory,
    onProgress = () => {},
  } = options;
  const tempFolder = scratchDirectory === undefined ? createLazyTempFolder() : async () => scratchDirectory;
  const codecs = { images: createImageCodec(tempFolder), video: createVideoCodec(tempFolder) };
  return {
    ...(gplEncoders ? codecs : rejectGplEncoders(codecs)),
    audio: createAudioCodec(tempFolder),
    inference,
    attachments,
    signal,
    progress: createProgressMeter(onProgress).work,
  };
}

/**
 * Removes GPL encoders from codecs. Requests for their formats are rejected earlier; this stops jobs that were
 * accepted before the setting changed.
 */
function rejectGplEncoders({ images, video }: Codecs): Codecs {
  return {
    images: {
      ...images,
      async encode(picture, options) {
        assertNotGpl(options.format);
        return images.encode(picture, options);
      },
    },
    video: {
      ...video,
      async encode(frames, options) {
        assertNotGpl(options.format);
        return video.encode(frames, options);
      },
    },
  };
}

function assertNotGpl(format: string): void {
  if (!needsGplEncoder(format)) return;
  throw new OperationError(
    'unprocessable',
    `${format} needs a GPL encoder, which this service leaves out. Choose another format.`,
  );
}
