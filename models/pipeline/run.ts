import type { Operation, RunFunction } from '../core/operation/define-operation.ts';
import { isDirectOnly } from '../core/operation/direct-response.ts';
import type { Json } from '../core/operation/json.ts';
import type { OutputFile, RunResult } from '../core/operation/run-result.ts';
import type { ImageCodec } from '../core/runtime/image-codec.ts';
import { progressSpan } from '../core/runtime/progress.ts';
import { formatWarning, getMessages, isEmptyResult, type RunWarning } from '../core/runtime/run-warnings.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { nameStepFile, pickFile, stepError } from './plan-steps.ts';
import { listOutputs } from './recipes.ts';
import {
  getRecipe,
  getStepOperation,
  type PipelineParams,
  type Step,
  type StepOperations,
} from './schema.ts';
import { shareDecoded } from './share-decoded.ts';

/** Name of the engine in the result of a pipeline: each of its steps has an engine. */
const ENGINE = 'pipeline';

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
