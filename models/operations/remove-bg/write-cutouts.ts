import type { OutputFile } from '../../core/operation/run-result.ts';
import { type Raster8, WHITE } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { VideoFormat, VideoFrame } from '../../core/runtime/video-codec.ts';
import { stackMatte } from '../../kernels/matte/stack-matte.ts';
import { flatten } from '../../kernels/raster/pixel-format.ts';

interface WriteOptions {
  readonly format: VideoFormat;
  /** Whether alpha is kept; otherwise transparent pixels become white. */
  readonly isTransparent: boolean;
  readonly frameRate: number;
  readonly soundFrom: Blob;
}

export interface WrittenVideo {
  readonly file: OutputFile;
  /** Sentences for the user about the audio. */
  readonly warnings: readonly RunWarning[];
}

/**
 * Writes the frames of a cutout as a video. A transparent mp4 has double height: colours above, matte below.
 * @throws OperationError as the codec does
 */
export async function writeCutouts(
  frames: AsyncIterable<VideoFrame>,
  { format, isTransparent, frameRate, soundFrom }: WriteOptions,
  { video, signal }: Pick<Runtime, 'video' | 'signal'>,
): Promise<WrittenVideo> {
  async function* prepared(): AsyncGenerator<VideoFrame> {
    for await (const frame of frames) {
      if (isTransparent) yield format === 'mp4' ? stackMatte(frame) : frame;
      else yield { ...frame, ...(flatten(frame, WHITE) as Raster8) };
    }
  }
  const alpha = isTransparent && format === 'webm';
  const options = { format, alpha, frameRate, soundFrom, signal };
  const { blob, warnings } = await video.encode(prepared(), options);
  return { file: { name: `output.${format}`, mediaType: `video/${format}`, blob }, warnings };
}
