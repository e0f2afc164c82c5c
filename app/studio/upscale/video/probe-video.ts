import type { VideoFacts } from '../../../../models/media/containers/video-header.ts';

/**
 * Reads the facts of a video, with code that is loaded for the first one.
 * @throws OperationError as `probeUpscaleVideo` does
 */
export async function probeVideo(video: Blob): Promise<VideoFacts> {
  const { probeUpscaleVideo } = await import('../../../../models/operations/upscale/video-limits.ts');
  return probeUpscaleVideo(video);
}
