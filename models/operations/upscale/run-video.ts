import { runBestEngine } from '../../core/inference/engine-ladder.ts';
import type { RunResult } from '../../core/operation/run-result.ts';
import { steps } from '../../core/runtime/progress.ts';
import { type Raster8, WHITE } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { EncodedVideo, VideoFrame } from '../../core/runtime/video-codec.ts';
import { flatten, isOpaque } from '../../kernels/raster/pixel-format.ts';
import { chooseVideoFormat } from '../../media/image/output-format.ts';
import { videoFrames } from '../../media/video/video-frames.ts';
import { ladderOptions, type OpenPasses, upscaleEngines } from './engines.ts';
import { FrameEnlarger } from './frame-enlarger.ts';
import { halveRaster } from './run-image.ts';
import type { UpscaleParams } from './schema.ts';
import { probeUpscaleVideo, UPSCALE_VIDEO_LIMITS } from './video-limits.ts';

/** Steps with a video: frames are decoded, enlarged and encoded one by one. */
export const STEPS = steps({ 'enlarging frames': 1 });

/**
 * Enlarges a video frame by frame, by the fast network unless a request names another. Keeps the times of the frames
 * and the audio; what does not move is enlarged once. Transparent pixels are flattened onto white.
 * @throws OperationError `unprocessable` when the video is corrupt or longer than its header says; `unavailable` when
 *   no model is available, or this device lacks a codec
 */
export async function runVideo(input: Blob, params: UpscaleParams, runtime: Runtime): Promise<RunResult> {
  const { inference, signal } = runtime;
  const format = chooseVideoFormat(params.output_format);
  const facts = await probeUpscaleVideo(input);
  const { width, height } = await runtime.video.decode(input, { signal });
  const progress = STEPS.of(runtime.progress).span('enlarging frames');
  let isFlattened = false;
  const engines = upscaleEngines(params, { inference, signal, input: 'video', work: encode });
  const ladder = ladderOptions(params, 'videos', signal);
  const { value, engine, warnings } = await runBestEngine(inference, engines, ladder);
  return {
    files: [{ name: `output.${format}`, mediaType: `video/${format}`, blob: value.blob }],
    engine,
    warnings: [
      ...warnings,
      ...(isFlattened ? [formatWarning('flattened')] : []),
      ...value.videoWarnings,
      ...value.warnings,
    ],
    details: {
      input_size: `${width}x${height}`,
      output_size: `${width * params.scale}x${height * params.scale}`,
      scale: params.scale,
    },
  };

  async function encode(
    passes: OpenPasses,
  ): Promise<EncodedVideo & { readonly videoWarnings: readonly RunWarning[] }> {
    const video = await runtime.video.decode(input, { signal });
    const frames = videoFrames(video, { facts, limits: UPSCALE_VIDEO_LIMITS, progress });
    const encoded = await runtime.video.encode(enlargedFrames(opaque(frames), passes, signal), {
      format,
      alpha: false,
      frameRate: video.frameRate,
      soundFrom: input,
      signal,
    });
    return { ...encoded, videoWarnings: video.warnings() };
  }

  async function* opaque(frames: AsyncIterable<VideoFrame>): AsyncGenerator<VideoFrame> {
    for await (const frame of frames) {
      if (isOpaque(frame)) yield frame;
      else {
        isFlattened = true;
        yield { ...frame, ...flatten(frame, WHITE) };
      }
    }
  }
}

async function* enlargedFrames(
  frames: AsyncIterable<VideoFrame>,
  { networks, reduction, report }: OpenPasses,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const enlargers = networks.map(
    ({ network, session }) => new FrameEnlarger(network, session, { signal, report }),
  );
  for await (const frame of frames) {
    let enlarged: Raster8 = frame;
    for (const enlarger of enlargers) enlarged = await enlarger.enlarge(enlarged);
    yield { ...frame, ...(reduction === 2 ? halveRaster(enlarged) : enlarged) };
  }
}
