import { softBackdrop } from '../kernels/backdrop.ts';
import { blurredSurroundings } from '../kernels/blurred-surroundings.ts';
import { fitWithin, resizeAlpha, resizeColours, resizeImage } from '../kernels/resize.ts';
import type { FloatImage } from '../raster.ts';
import type { Runtime } from '../runtime.ts';
import type { Video, VideoFrame } from '../video-codec.ts';
import { unrefined } from './finish.ts';
import { BLURRED_SIDE, type CutoutFiles, type VideoLook } from './look.ts';
import { cutOutBy, FRAME_WORKING_SIDE } from './matte-edges.ts';
import { backdropOfBehind } from './pixels.ts';
import { checkedFrames, probeCutoutVideo } from './video-limits.ts';
import { videoProgress } from './video-progress.ts';
import { type WrittenVideo, writeCutouts } from './write-cutouts.ts';

/**
 * Makes the file of a cut out video with its background and format, without looking for the subject again: of the cutout
 * only the opacity is used, so that colours are compressed once. One frame of each file is held at a time.
 * @throws OperationError `unprocessable` when a file is corrupt; `bad_request` naming `background`; `unavailable` when
 *   this device lacks a codec
 */
export async function finishVideo(
  files: CutoutFiles,
  { behind, format }: VideoLook,
  runtime: Pick<Runtime, 'images' | 'video' | 'signal' | 'progress'>,
): Promise<WrittenVideo> {
  const { signal } = runtime;
  const original = await runtime.video.decode(files.original, { signal });
  const cutout = await runtime.video.decode(files.cutout, { signal });
  const facts = await probeCutoutVideo(files.original);
  const isBlurred = behind.kind === 'blurred';
  const still = isBlurred ? null : await backdropOfBehind(behind, original, runtime);
  const done = videoProgress(original, facts, runtime.progress);
  async function* frames(): AsyncGenerator<VideoFrame> {
    for await (const [frame, found] of inPairs(checkedFrames(original, facts), cutout)) {
      const { width, height } = fitWithin(frame, FRAME_WORKING_SIDE);
      const colours = resizeColours(frame, width, height);
      const matte = resizeAlpha(found, width, height);
      const backdrop = isBlurred ? blurred(frame, colours, matte) : still;
      // What was half transparent from the start is so in the cutout, too, and would count twice.
      for (let at = 3; at < frame.data.length; at += 4) frame.data[at] = 255;
      cutOutBy(frame, colours, unrefined(matte), backdrop, (y) => {
        if (y % 64 === 0) signal.throwIfAborted();
      });
      yield frame;
      done(frame);
    }
  }
  const isTransparent = !isBlurred && still === null;
  return writeCutouts(frames(), { format, isTransparent, soundFrom: files.original }, runtime);
}

function blurred({ width, height }: VideoFrame, colours: FloatImage, matte: FloatImage) {
  const small = fitWithin(colours, BLURRED_SIDE);
  const surroundings = blurredSurroundings(
    resizeImage(colours, small.width, small.height),
    resizeImage(matte, small.width, small.height),
  );
  return softBackdrop(surroundings, width, height);
}

/** The frames of a video and of its cutout, which has the same number of them; the last found stays, should one be missing. */
async function* inPairs(
  frames: AsyncIterable<VideoFrame>,
  cutout: Video,
): AsyncGenerator<[frame: VideoFrame, found: VideoFrame]> {
  const cutouts = cutout.frames()[Symbol.asyncIterator]();
  try {
    let found: VideoFrame | undefined;
    for await (const frame of frames) {
      const next = await cutouts.next();
      if (!next.done) found = next.value;
      if (found) yield [frame, found];
    }
  } finally {
    await cutouts.return?.();
  }
}
