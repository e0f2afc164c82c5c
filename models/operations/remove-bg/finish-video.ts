import { OperationError } from '../../core/operation/errors.ts';
import type { OutputFile } from '../../core/operation/run-result.ts';
import { WHITE } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { DecodedVideo, VideoFormat, VideoFrame } from '../../core/runtime/video-codec.ts';
import { flatten } from '../../kernels/raster/pixel-format.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../../kernels/raster/resize.ts';
import { stackMatte } from '../../kernels/raster/stack-matte.ts';
import { videoFrames } from '../../media/video/video-frames.ts';
import { type Backdrop, smoothBackdrop } from './backdrop.ts';
import { BLURRED_SIDE, type CutoutFiles, type VideoEdits } from './cutout-edits.ts';
import { abortCheck, compositeOver } from './matte/cut-out.ts';
import { backdropOfChoice, blurredSurroundings } from './read-backdrop.ts';
import { CUTOUT_VIDEO_LIMITS, probeCutoutVideo } from './video-limits.ts';

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

/** Alpha out of 255 that counts as solid: a lossy file stores slightly less than 255. */
const SOLID_FROM = 250;

/**
 * Makes the file of a cut-out video with its background and format, without finding the subject again: the cutout
 * supplies alpha and the colours of soft edges, the original everything else, so that most pixels are compressed only
 * once. Where this device has no decoder for the original, the cutout supplies everything but the audio. Holds one
 * frame of each file at a time.
 * @throws OperationError `unprocessable` when a file is corrupt; `bad_request` naming `background`; `unavailable`
 *   when this device lacks a codec, even if only for the blurred surroundings
 */
export async function finishVideo(
  files: CutoutFiles,
  { background, format }: VideoEdits,
  runtime: Pick<Runtime, 'images' | 'video' | 'signal' | 'progress'>,
): Promise<WrittenVideo> {
  const { signal } = runtime;
  const original = await decodedIfPossible(files.original, runtime);
  const isBlurred = background.kind === 'blurred';
  if (isBlurred && !original) {
    throw new OperationError(
      'unavailable',
      'Blurred surroundings need the original video, which this browser cannot decode. Choose a colour, an image or no background.',
    );
  }
  const cutout = await runtime.video.decode(files.cutout, { signal });
  const facts = await probeCutoutVideo(files.original);
  const shown = original ?? cutout;
  const still = isBlurred ? null : await backdropOfChoice(background, shown, runtime);
  const { progress } = runtime;
  const source = videoFrames(shown, { facts, limits: CUTOUT_VIDEO_LIMITS, progress });
  async function* frames(): AsyncGenerator<VideoFrame> {
    for await (const [frame, found] of original ? inPairs(source, cutout) : alone(source)) {
      const backdrop = isBlurred ? blurred(frame, found) : still;
      takeOpacity(frame, found);
      if (backdrop) compositeOver(frame, backdrop, abortCheck(signal));
      yield frame;
    }
  }
  const isTransparent = !isBlurred && still === null;
  const { frameRate } = shown;
  return writeCutouts(frames(), { format, isTransparent, frameRate, soundFrom: files.original }, runtime);
}

/**
 * Opens a video.
 * @returns null when this device has no decoder for it
 */
async function decodedIfPossible(
  input: Blob,
  { video, signal }: Pick<Runtime, 'video' | 'signal'>,
): Promise<DecodedVideo | null> {
  try {
    return await video.decode(input, { signal });
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}

/**
 * Copies alpha in place. Where the cutout is soft, it also supplies the subject's own colours, free of the old
 * background.
 */
function takeOpacity({ width, height, data }: VideoFrame, found: VideoFrame): void {
  if (found.width !== width || found.height !== height) {
    throw new OperationError(
      'unprocessable',
      'The cutout and its video differ in size. Remove the background again.',
    );
  }
  for (let at = 0; at < data.length; at += 4) {
    const alpha = found.data[at + 3];
    if (alpha < SOLID_FROM) {
      for (let channel = at; channel < at + 3; channel++) data[channel] = found.data[channel];
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
  return smoothBackdrop(surroundings, frame.width, frame.height);
}

type Pair = [frame: VideoFrame, found: VideoFrame];

/** Yields the frames of a cutout, each in place of the original's as well. */
async function* alone(cutout: AsyncIterable<VideoFrame>): AsyncGenerator<Pair> {
  for await (const found of cutout) yield [found, found];
}

/**
 * Yields the frames of a video with those of its cutout, which has the same number; repeats the last one if one is
 * missing.
 */
async function* inPairs(frames: AsyncIterable<VideoFrame>, cutout: DecodedVideo): AsyncGenerator<Pair> {
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
      else yield { ...frame, ...flatten(frame, WHITE) };
    }
  }
  const alpha = isTransparent && format === 'webm';
  const options = { format, alpha, frameRate, soundFrom, signal };
  const { blob, warnings } = await video.encode(prepared(), options);
  return { file: { name: `output.${format}`, mediaType: `video/${format}`, blob }, warnings };
}
