import type { Operation, RunFunction } from '../core/operation/define-operation.ts';
import { isDirectOnly } from '../core/operation/direct-response.ts';
import type { Json } from '../core/operation/json.ts';
import type { OutputFile, RunResult } from '../core/operation/run-result.ts';
import type { DecodeOptions, EncodeOptions, ImageCodec, Picture } from '../core/runtime/image-codec.ts';
import { progressSpan } from '../core/runtime/progress.ts';
import { formatWarning, getMessages, isEmptyResult, type RunWarning } from '../core/runtime/run-warnings.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { getFormat, getImageFormat, SIGNATURE_BYTES } from '../media/image/find-format.ts';
import { countFrames } from '../media/image/read-contents.ts';
import { nameStepFile, pickFile, stepError } from './plan-steps.ts';
import { listOutputs } from './recipes.ts';
import {
  getRecipe,
  getStepOperation,
  type PipelineParams,
  type Step,
  type StepOperations,
} from './schema.ts';

/** Name of the engine in the result of a pipeline: each of its steps has an engine. */
const ENGINE = 'pipeline';
/** Pixels of an image, in all its frames, up to which it is held decoded for several steps. */
const HELD_PIXELS_MAX = 25_000_000;

/** Returns the executor of pipelines of some operations. */
export function createRun(operations: StepOperations): RunFunction<PipelineParams> {
  return (input, params, runtime) => new PipelineRun(operations, input, params, runtime).run();
}

/** One run: its steps one after the other, each as soon as its source exists where it may end the job. */
class PipelineRun {
  readonly #operations: StepOperations;
  readonly #input: Blob;
  readonly #steps: readonly Step[];
  readonly #outputs: readonly string[];
  readonly #runtime: Runtime;
  readonly #results = new Map<string, RunResult>();
  readonly #seconds = new Map<string, number>();
  /** Sources that several steps read. */
  readonly #shared = new WeakSet<Blob>();
  readonly #images: ImageCodec;
  /** Step that runs. */
  #current: string | undefined;

  constructor(operations: StepOperations, input: Blob, params: PipelineParams, runtime: Runtime) {
    const recipe = getRecipe(params);
    this.#operations = operations;
    this.#input = input;
    this.#steps = recipe.steps;
    this.#outputs = listOutputs(recipe);
    this.#runtime = runtime;
    this.#images = shareDecoded(runtime.images, {
      isShared: (blob) => this.#shared.has(blob),
      isBetween: () => this.#current !== undefined && !this.#outputs.includes(this.#current),
    });
  }

  /** @throws OperationError of a step, whose message names it */
  async run(): Promise<RunResult> {
    let stoppedBy: string | undefined;
    while (stoppedBy === undefined) {
      const next = this.#next();
      if (!next) break;
      const result = await this.#runStep(next);
      if (next.stop_if_flagged && result.details?.flagged === true) stoppedBy = next.id;
    }
    const ran = this.#steps.filter(({ id }) => this.#results.has(id));
    const steps = ran.map(({ id }): [string, Json] => [id, this.#describe(id)]);
    return {
      files: this.#outputs.flatMap((id) => this.#filesOf(id)),
      engine: ENGINE,
      warnings: ran.flatMap(({ id }) => this.#warningsOf(id)),
      details: {
        steps: Object.fromEntries(steps),
        ...(stoppedBy !== undefined && { stopped_by: stoppedBy }),
      },
    };
  }

  /** Returns the next step: one that may end the job before all others whose source exists. */
  #next(): Step | undefined {
    const left = this.#steps.filter(({ id }) => !this.#results.has(id));
    const ready = left.filter(({ from }) => from === 'input' || this.#results.has(from.split('/')[0] ?? ''));
    return ready.find((step) => step.stop_if_flagged) ?? ready[0];
  }

  async #runStep(step: Step): Promise<RunResult> {
    const at = this.#steps.indexOf(step);
    const { signal, progress } = this.#runtime;
    signal.throwIfAborted();
    const done = this.#results.size / this.#steps.length;
    const report = progressSpan(progress, done, done + 1 / this.#steps.length);
    const startedAtMs = Date.now();
    this.#current = step.id;
    try {
      const operation = getStepOperation(this.#operations, step.operation);
      const source = this.#source(step, at);
      // What a step makes is known only now.
      if (step.from !== 'input' && !isDirectOnly(operation)) await operation.quote(source, step.params);
      const result = await operation.execute(source, step.params, {
        ...this.#runtime,
        images: this.#images,
        attachments: this.#attachmentsOf(operation, step, at),
        progress: (each) => report({ ...each, step: step.id }),
        draft: undefined,
      });
      this.#results.set(step.id, result);
      this.#seconds.set(step.id, Date.now() - startedAtMs);
      return result;
    } catch (thrown) {
      throw stepError(step.id, at, thrown);
    }
  }

  #source({ from }: Step, at: number): Blob {
    const isShared = this.#steps.filter((step) => step.from === from).length > 1;
    const blob = this.#blobAt(from, at);
    if (isShared) this.#shared.add(blob);
    return blob;
  }

  #blobAt(from: string, at: number): Blob {
    if (from === 'input') return this.#input;
    const { files = [] } = this.#results.get(from.split('/')[0] ?? '') ?? {};
    const file = pickFile(files, from, `steps[${at}].from`);
    if (!file) throw new Error(`${from} gave no file`);
    return file.blob;
  }

  #attachmentsOf(operation: Operation, { params }: Step, at: number): ReadonlyMap<string, Blob> {
    const own = operation.attachments(params).flatMap(({ name }) => {
      const blob = this.#runtime.attachments.get(`steps[${at}].params.${name}`);
      return blob ? [[name, blob] as const] : [];
    });
    return new Map(own);
  }

  #filesOf(id: string): OutputFile[] {
    const { files = [] } = this.#results.get(id) ?? {};
    return files.map((file) => ({ ...file, name: nameStepFile(id, file.name) }));
  }

  #warningsOf(id: string): RunWarning[] {
    const warnings = this.#results.get(id)?.warnings ?? [];
    return warnings.map(({ message }) => formatWarning('of_step', id, message));
  }

  #describe(id: string): Json {
    const { engine = ENGINE, warnings = [], details = {} } = this.#results.get(id) ?? {};
    return {
      ...details,
      engine,
      warnings: [...getMessages(warnings)],
      // A run without anything in it costs nothing.
      ...(isEmptyResult(warnings) && { is_empty: true }),
      processing_ms: this.#seconds.get(id) ?? 0,
      files: this.#filesOf(id).map(({ name }) => name),
    };
  }
}

interface Sharing {
  /** Reports whether several steps read a file. */
  readonly isShared: (file: Blob) => boolean;
  /** Reports whether only other steps read the files of the step that runs. */
  readonly isBetween: () => boolean;
}

/**
 * Returns a codec that decodes a shared file once for all steps that read it alike, and passes what one step encodes
 * for others decoded, where an image is small enough to hold.
 */
function shareDecoded(images: ImageCodec, { isShared, isBetween }: Sharing): ImageCodec {
  const known = new WeakMap<Blob, Map<string, Promise<Picture>>>();
  return {
    ...images,
    async encode(picture, options) {
      if (!isBetween() || !isPassed(picture, options)) return images.encode(picture, options);
      const held = await images.hold(picture);
      const file = await images.encode(held, { ...options, tuning: { effort: 0 } });
      const ways = ['srgb', 'own'].map((colour) => [`first ${colour}`, Promise.resolve(held)] as const);
      known.set(file, new Map(ways));
      return file;
    },
    async decode(input: Blob, options: DecodeOptions) {
      const ways = known.get(input) ?? new Map<string, Promise<Picture>>();
      if (ways.size === 0 && !isShared(input)) return images.decode(input, options);
      known.set(input, ways);
      // All frames of a still image are its first.
      const frames = options.frames === 'all' && (await isStill(input)) ? 'first' : options.frames;
      const way = `${frames} ${options.colour}`;
      const held = ways.get(way);
      if (held) return await held;
      const picture = await images.decode(input, { ...options, frames });
      const { width, height, frameCount } = picture;
      if (picture.strips || width * height * frameCount > HELD_PIXELS_MAX) return picture;
      const holding = images.hold(picture);
      ways.set(way, holding);
      return await holding;
    },
  };
}

/** Reports whether the file of an image is the image alone, without loss: a reader needs no more than its samples. */
function isPassed(picture: Picture, { format, metadata, tuning }: EncodeOptions): boolean {
  const { width, height, frameCount, strips, warnings = [] } = picture;
  const isBare = [metadata, picture.metadata].every((each) => Object.keys(each).length === 0);
  const isSmall = frameCount === 1 && !strips && width * height <= HELD_PIXELS_MAX;
  return format === 'png' && isBare && isSmall && warnings.length === 0 && tuning === undefined;
}

/** Reports whether a file has one image, by its structure. */
async function isStill(input: Blob): Promise<boolean> {
  const format = getImageFormat(new Uint8Array(await input.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const hasPages = format !== null && getFormat(format).holds.several === 'pages';
  return !hasPages && (await countFrames(input)) === 1;
}
