import type { RunResult } from '../../core/operation/run-result.ts';
import { type Progress, type ReportProgress, type StepsOfRun, steps } from '../../core/runtime/progress.ts';
import type { FloatImage } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning, WarningSet } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { DecodedVideo, VideoFrame } from '../../core/runtime/video-codec.ts';
import { boxMean } from '../../kernels/raster/box-mean.ts';
import { fitWithin, resizeColours, resizeImage } from '../../kernels/raster/resize.ts';
import { findSubjects } from '../../kernels/raster/subjects.ts';
import { getMedian } from '../../kernels/statistics.ts';
import { findSubject } from '../../matting/find-subject.ts';
import { judgeMatte, type MatteQuality } from '../../matting/matte-quality.ts';
import { chooseVideoFormat } from '../../media/image/output-format.ts';
import { videoFrames } from '../../media/video/video-frames.ts';
import type { Backdrop } from './backdrop.ts';
import { writeCutouts } from './finish-video.ts';
import { CUT_SIDE, completeMatte } from './matte/complete-matte.ts';
import { abortCheck } from './matte/cut-out.ts';
import { cutOutWithMatte } from './matte-edges.ts';
import { readBackdrop } from './read-backdrop.ts';
import type { RemoveBgParams } from './schema.ts';
import { CUTOUT_VIDEO_LIMITS, probeCutoutVideo } from './video-limits.ts';

/** Time constant in seconds of the temporal mean for still areas. */
const MEMORY_SECONDS = 0.15;

/** Colour difference per channel, 0 to 1, at which a pixel counts as changed by half or more. */
const CHANGED = 0.04;

/** Radius in pixels of the window for changes: noise of a single pixel is no change. */
const RADIUS = 1;

/**
 * Stabiliser of the mattes of successive frames: a recursive temporal mean that yields where the image changes, so
 * that still areas do not flicker and moving ones leave no trail. E. P. Bennett, L. McMillan, "Video Enhancement
 * Using Per-Pixel Virtual Exposures", SIGGRAPH 2005, section 4, with one weight from a bilateral kernel on the
 * colours of the previous frame. On the 14 DAVIS 2016 frames, each shown still six times with fresh grain, our own
 * model's mattes change by 0.0026 from frame to frame instead of 0.0132, at a mean IoU of 0.498 instead of 0.496;
 * panned slowly by 0.058 instead of 0.064, at 0.532 instead of 0.531.
 */
export class MatteStabiliser {
  #before: { readonly colours: FloatImage; readonly matte: FloatImage; readonly seconds: number } | null =
    null;

  /**
   * Stabilises the next matte.
   * @param colours of the frame, 0 to 1, of the matte's size
   * @param matte one channel, 0 to 1
   * @param seconds presentation time, later than that of the previous frame
   * @throws RangeError when the previous frame had another size
   */
  stabilise(colours: FloatImage, matte: FloatImage, seconds: number): FloatImage {
    const { data, ...size } = matte;
    const steadied = { ...size, data: data.slice() };
    if (this.#before) {
      if (this.#before.matte.data.length !== data.length) throw new RangeError('frames must have one size');
      const changes = boxMean(squaredChanges(colours, this.#before.colours), RADIUS).data;
      const old = this.#before.matte.data;
      const most = Math.exp(-(seconds - this.#before.seconds) / MEMORY_SECONDS);
      for (let pixel = 0; pixel < data.length; pixel++) {
        const share = most * Math.exp(-changes[pixel] / (2 * CHANGED * CHANGED));
        const value = data[pixel];
        steadied.data[pixel] = value + share * (old[pixel] - value);
      }
    }
    this.#before = { colours, matte: steadied, seconds };
    return steadied;
  }
}

/** Steps with a video. The second one is all of the run where the model is at hand. */
export const STEPS = steps({ 'loading the model': 0.1, 'cutting out frames': 0.9 });

/** Half of an image's: frames pass too quickly for finer edges to be visible, and there are many. */
const WORKING_SIDE = 512;

/**
 * Removes the background of a video, frame by frame, with a matte stabilised in time; keeps the audio.
 * @throws OperationError `unprocessable` when the video is corrupt or longer than its header says; `unavailable` when
 *   no model is available, or this device lacks a codec
 */
export async function runVideo(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  const format = chooseVideoFormat(params.output_format);
  const video = await runtime.video.decode(input, { signal: runtime.signal });
  const backdrop = await readBackdrop(params.background, video, runtime);
  const facts = await probeCutoutVideo(input);
  const remover = new FrameRemover(params, backdrop, runtime);
  const source = videoFrames(video, {
    facts,
    limits: CUTOUT_VIDEO_LIMITS,
    progress: (reached) => remover.progress(reached),
  });
  async function* frames(): AsyncGenerator<VideoFrame> {
    for await (const frame of source) {
      await remover.remove(frame);
      yield frame;
    }
  }
  const { frameRate } = video;
  const options = { format, isTransparent: backdrop === null, frameRate, soundFrom: input };
  const { file, warnings } = await writeCutouts(frames(), options, runtime);
  return {
    files: [file],
    engine: remover.engine,
    warnings: [...remover.listWarnings(), ...video.warnings(), ...warnings],
    details: getDetails(video, remover),
  };
}

function getDetails({ width, height }: DecodedVideo, { counts, qualities }: FrameRemover) {
  const order: readonly MatteQuality[] = ['low', 'medium', 'high'];
  const ranks = qualities.map((quality) => order.indexOf(quality));
  return {
    original_size: `${width}x${height}`,
    subjects_detected: getMedian(counts, 'lower'),
    matte_quality: order[getMedian(ranks, 'lower')] ?? 'low',
  };
}

/** Removes the background of consecutive frames, always with the model that ran on the first. */
class FrameRemover {
  readonly counts: number[] = [];
  readonly qualities: MatteQuality[] = [];
  readonly #warnings = new WarningSet();
  engine = '';
  readonly #params: RemoveBgParams;
  readonly #backdrop: Backdrop | null;
  readonly #runtime: Runtime;
  readonly #steps: StepsOfRun<keyof typeof STEPS.shares>;
  readonly #steadier = new MatteStabiliser();
  #model: string;
  #hadToLoad = false;

  constructor(params: RemoveBgParams, backdrop: Backdrop | null, runtime: Runtime) {
    this.#params = params;
    this.#backdrop = backdrop;
    this.#runtime = runtime;
    this.#model = params.engine;
    this.#steps = STEPS.of(runtime.progress);
  }

  /** Receives the progress of the frames. Known only once the first frame is done. */
  get progress(): ReportProgress {
    return this.#hadToLoad ? this.#steps.span('cutting out frames') : this.#runtime.progress;
  }

  /** Lists the warnings of all frames. A video without a subject in any of them is empty. */
  listWarnings(): readonly RunWarning[] {
    const isEmpty = this.counts.every((count) => count === 0);
    return [...(isEmpty ? [formatWarning('no_subject')] : []), ...this.#warnings];
  }

  /** Removes the background of a frame, in place. */
  async remove(frame: VideoFrame): Promise<void> {
    const { inference, signal } = this.#runtime;
    const { width, height } = fitWithin(frame, WORKING_SIDE);
    const colours = resizeColours(frame, width, height);
    const found = await findSubject(inference, colours, {
      engine: this.#model,
      isStill: false,
      signal,
      onProgress: (loaded) => this.#reportWeights(loaded),
    });
    this.#model = found.model;
    this.engine ||= found.engine;
    this.#warnings.add(...found.warnings);
    // A second look makes mattes of varying sizes, and only mattes of one size can be compared.
    const completed = completeMatte(found.matte, colours, CUT_SIDE.frame);
    const guess = resizeImage(completed, width, height);
    const matte = this.#steadier.stabilise(colours, guess, frame.timestampSeconds);
    const subjects = findSubjects(matte);
    this.counts.push(subjects.count);
    this.qualities.push(judgeMatte(found.matte, completed).quality);
    const kept = this.#params.subject === 'primary' ? subjects.primary() : matte;
    cutOutWithMatte(frame, colours, kept, { backdrop: this.#backdrop, onRow: abortCheck(signal) });
  }

  /**
   * Reports the download of weights. Later frames may have to wait again after an eviction; progress must not go back
   * for that.
   */
  #reportWeights(loaded: Progress): void {
    if (this.counts.length > 0 || (loaded.fraction === 1 && !this.#hadToLoad)) return;
    this.#hadToLoad = true;
    this.#steps.span('loading the model')(loaded);
  }
}

/** Computes one channel: the mean over the colours of the squared difference. */
function squaredChanges(one: FloatImage, other: FloatImage): FloatImage {
  const { width, height } = one;
  const data = new Float32Array(width * height);
  for (let pixel = 0, at = 0; pixel < data.length; pixel++, at += 3) {
    let sum = 0;
    for (let channel = at; channel < at + 3; channel++) {
      sum += (one.data[channel] - other.data[channel]) ** 2;
    }
    data[pixel] = sum / 3;
  }
  return { width, height, channels: 1, data };
}
