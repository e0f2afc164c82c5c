import { OperationError } from '../errors.ts';
import { type Backdrop, softBackdrop } from '../kernels/backdrop.ts';
import { blurredSurroundings } from '../kernels/blurred-surroundings.ts';
import { endedBy, putBehind } from '../kernels/cut-out.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../kernels/resize.ts';
import type { Runtime } from '../runtime.ts';
import type { Video, VideoFrame } from '../video-codec.ts';
import { BLURRED_SIDE, type CutoutFiles, type VideoLook } from './look.ts';
import { backdropOfBehind } from './pixels.ts';
import { checkedFrames, probeCutoutVideo } from './video-limits.ts';
import { videoProgress } from './video-progress.ts';
import { type WrittenVideo, writeCutouts } from './write-cutouts.ts';

/** Of 255. What a lossy file keeps of a solid matte is a little less. */
const SOLID_FROM = 250;

/**
 * Makes the file of a cut out video with its background and format, without looking for the subject again: the cutout
 * gives the opacity and the colours of soft edges, the original all else, so that most is compressed once. Where this
 * device has no decoder for the original, the cutout gives all but the sound. One frame of each file is held at a time.
 * @throws OperationError `unprocessable` when a file is corrupt; `bad_request` naming `background`; `unavailable` when
 *   this device lacks a codec, be it only for what was around the subject
 */
export async function finishVideo(
  files: CutoutFiles,
  { behind, format }: VideoLook,
  runtime: Pick<Runtime, 'images' | 'video' | 'signal' | 'progress'>,
): Promise<WrittenVideo> {
  const { signal } = runtime;
  const original = await decodedIfPossible(files.original, runtime);
  const isBlurred = behind.kind === 'blurred';
  if (isBlurred && !original) {
    throw new OperationError(
      'unavailable',
      'Blurred surroundings need the original video, which this browser cannot decode. Choose a colour, a picture or no background.',
    );
  }
  const cutout = await runtime.video.decode(files.cutout, { signal });
  const facts = await probeCutoutVideo(files.original);
  const shown = original ?? cutout;
  const still = isBlurred ? null : await backdropOfBehind(behind, shown, runtime);
  const done = videoProgress(shown, facts, runtime.progress);
  async function* frames(): AsyncGenerator<VideoFrame> {
    const checked = checkedFrames(shown, facts);
    for await (const [frame, found] of original ? inPairs(checked, cutout) : alone(checked)) {
      const backdrop = isBlurred ? blurred(frame, found) : still;
      takeOpacity(frame, found);
      if (backdrop) putBehind(frame, backdrop, endedBy(signal));
      yield frame;
      done(frame);
    }
  }
  const isTransparent = !isBlurred && still === null;
  const { frameRate } = shown;
  return writeCutouts(frames(), { format, isTransparent, frameRate, soundFrom: files.original }, runtime);
}

/** @returns null when this device has no decoder for the file */
async function decodedIfPossible(
  input: Blob,
  { video, signal }: Pick<Runtime, 'video' | 'signal'>,
): Promise<Video | null> {
  try {
    return await video.decode(input, { signal });
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}

/** In place. Where the cutout is soft it also has the subject's own colours, without those of what was behind. */
function takeOpacity({ width, height, data }: VideoFrame, found: VideoFrame): void {
  if (found.width !== width || found.height !== height) {
    throw new OperationError('unprocessable', 'The cutout has another size than its video. Cut it out anew.');
  }
  for (let at = 0; at < data.length; at += 4) {
    const alpha = found.data[at + 3] as number;
    if (alpha < SOLID_FROM) {
      for (let channel = at; channel < at + 3; channel++) data[channel] = found.data[channel] as number;
    }
    data[at + 3] = alpha;
  }
}

function blurred(frame: VideoFrame, found: VideoFrame): Backdrop {
  const { width, height } = fitWithin(frame, BLURRED_SIDE);
  const surroundings = blurredSurroundings(
    resizeColours(frame, width, height),
    resizeAlpha(found, width, height),
  );
  return softBackdrop(surroundings, frame.width, frame.height);
}

type Pair = [frame: VideoFrame, found: VideoFrame];

/** The frames of a cutout, each in place of the original's as well. */
async function* alone(cutout: AsyncIterable<VideoFrame>): AsyncGenerator<Pair> {
  for await (const found of cutout) yield [found, found];
}

/** The frames of a video and of its cutout, which has the same number of them; the last found stays, should one be missing. */
async function* inPairs(frames: AsyncIterable<VideoFrame>, cutout: Video): AsyncGenerator<Pair> {
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
