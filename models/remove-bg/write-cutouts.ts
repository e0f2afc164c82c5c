import { flatten, type Raster8 } from '../kernels/opaque.ts';
import { stackMatte } from '../kernels/video/stack-matte.ts';
import type { OutputFile } from '../operation.ts';
import type { Runtime } from '../runtime.ts';
import type { VideoFormat, VideoFrame } from '../video-codec.ts';

const WHITE = [255, 255, 255] as const;

interface WriteOptions {
  readonly format: VideoFormat;
  /** Else what is transparent becomes white. */
  readonly isTransparent: boolean;
  readonly frameRate: number;
  readonly soundFrom: Blob;
}

export interface WrittenVideo {
  readonly file: OutputFile;
  /** Sentences for the user about what became of the sound. */
  readonly warnings: readonly string[];
}

/**
 * Writes the frames of a cutout as a video. A transparent mp4 is of double height: colours above, matte below.
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
