import type { RunResult } from '../../core/operation/run-result.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { detectMedia } from '../../media/containers/video-header.ts';
import { runImage } from './run-image.ts';
import { runVideo } from './run-video.ts';
import type { UpscaleParams } from './schema.ts';

/**
 * Enlarges an image or a video.
 * @throws OperationError as `runImage` and `runVideo` do
 */
export async function run(input: Blob, params: UpscaleParams, runtime: Runtime): Promise<RunResult> {
  return await ((await detectMedia(input)) === 'video' ? runVideo : runImage)(input, params, runtime);
}
