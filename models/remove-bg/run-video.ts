import type { Backdrop } from '../kernels/backdrop.ts';
import { endedBy } from '../kernels/cut-out.ts';
import { fitWithin, resizeColours, resizeImage } from '../kernels/resize.ts';
import { findSubjects } from '../kernels/subjects.ts';
import { MatteSteadier } from '../kernels/video/steady-matte.ts';
import type { RunResult } from '../operation.ts';
import type { Runtime } from '../runtime.ts';
import type { Video, VideoFrame } from '../video-codec.ts';
import { findSubject } from './find-subject.ts';
import { cutoutVideoFormat } from './formats.ts';
import { cutOutBy } from './matte-edges.ts';
import { type MatteQuality, matteQuality } from './matte-quality.ts';
import { readBackdrop } from './pixels.ts';
import type { RemoveBgParams } from './schema.ts';
import { checkedFrames, probeCutoutVideo } from './video-limits.ts';
import { videoProgress } from './video-progress.ts';
import { writeCutouts } from './write-cutouts.ts';

/** Half of an image's: frames pass too quickly for finer edges to be seen, and there are many of them. */
const WORKING_SIDE = 512;
/** Of the progress, where the first frame must wait for a network's weights. */
const WEIGHTS_SHARE = 0.1;

/**
 * Takes the background out of a video, frame by frame, the matte steadied in time; the sound stays.
 * @throws OperationError `unprocessable` when the video is corrupt or longer than its header says; `unavailable` when
 *   no network is at hand, or this device lacks a codec
 */
export async function runVideo(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  const format = cutoutVideoFormat(params.output_format);
  const video = await runtime.video.decode(input, { signal: runtime.signal });
  const backdrop = await readBackdrop(params.background, video, runtime);
  const facts = await probeCutoutVideo(input);
  const remover = new FrameRemover(params, backdrop, runtime);
  const done = videoProgress(video, facts, (fraction, count) =>
    runtime.progress(remover.readyAt + (1 - remover.readyAt) * fraction, count),
  );
  async function* frames(): AsyncGenerator<VideoFrame> {
    for await (const frame of checkedFrames(video, facts)) {
      await remover.remove(frame);
      yield frame;
      done(frame);
    }
  }
  const { frameRate } = video;
  const options = { format, isTransparent: backdrop === null, frameRate, soundFrom: input };
  const { file, warnings } = await writeCutouts(frames(), options, runtime);
  return {
    files: [file],
    engine: remover.engine,
    warnings: [...remover.warnings, ...warnings],
    details: detailsOf(video, remover),
  };
}

function detailsOf({ width, height }: Video, { counts, qualities }: FrameRemover) {
  const order: readonly MatteQuality[] = ['low', 'medium', 'high'];
  const ranks = qualities.map((quality) => order.indexOf(quality));
  return {
    original_size: `${width}x${height}`,
    subjects_detected: medianOf(counts),
    matte_quality: order[medianOf(ranks)] ?? 'low',
  };
}

/** Of an even number the lower of the middle two. */
function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

/** Removes the background of one frame after the other, always with the network that served for the first. */
class FrameRemover {
  readonly counts: number[] = [];
  readonly qualities: MatteQuality[] = [];
  readonly warnings = new Set<string>();
  engine = '';
  /** Of the whole work, what was done before the first frame: more than 0 if weights had to be waited for. */
  readyAt = 0;
  readonly #params: RemoveBgParams;
  readonly #backdrop: Backdrop | null;
  readonly #runtime: Runtime;
  readonly #steadier = new MatteSteadier();
  #network: string;

  constructor(params: RemoveBgParams, backdrop: Backdrop | null, runtime: Runtime) {
    this.#params = params;
    this.#backdrop = backdrop;
    this.#runtime = runtime;
    this.#network = params.engine;
  }

  /** In place. */
  async remove(frame: VideoFrame): Promise<void> {
    const { inference, signal } = this.#runtime;
    const { width, height } = fitWithin(frame, WORKING_SIDE);
    const colours = resizeColours(frame, width, height);
    const found = await findSubject(inference, colours, {
      engine: this.#network,
      isStill: false,
      signal,
      onProgress: (fraction) => this.#tellWeights(fraction),
    });
    this.#network = found.network;
    this.engine ||= found.engine;
    for (const warning of found.warnings) this.warnings.add(warning);
    // A second look makes mattes of all sizes, and only those of one size can be compared.
    const guess = resizeImage(found.matte, width, height);
    const matte = this.#steadier.steady(colours, guess, frame.timestampSeconds);
    const subjects = findSubjects(matte);
    this.counts.push(subjects.count);
    this.qualities.push(matteQuality(found.matte));
    const kept = this.#params.subject === 'primary' ? subjects.primary() : matte;
    cutOutBy(frame, colours, kept, { backdrop: this.#backdrop, onRow: endedBy(signal) });
  }

  /** Later frames may have to wait again, for weights that made room for others: the bar must not go back for that. */
  #tellWeights(fraction: number): void {
    if (this.counts.length > 0 || (fraction === 1 && this.readyAt === 0)) return;
    this.readyAt = WEIGHTS_SHARE;
    this.#runtime.progress(WEIGHTS_SHARE * fraction);
  }
}
