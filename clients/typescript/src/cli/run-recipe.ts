import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError, JobFailedError } from '../errors.ts';
import { type ExitCode, UsageError } from './exit-codes.ts';
import { expandInputs } from './expand-inputs.ts';
import { assertReadable, isUrl, type OutcomeFile, STANDARD } from './files.ts';
import { readJobFields, readJobs } from './flags.ts';
import { RunState } from './recipe-state.ts';
import { createReport, sumUsd } from './report.ts';
import { findInput, runEach, saveAll } from './run-files.ts';
import {
  type LocalAbility,
  type Outcome,
  openTarget,
  type Recipe,
  type Target,
  type Task,
} from './target.ts';
import { createProgressLine, type Terminal } from './terminal.ts';

const USAGE =
  'Usage: darkroom run RECIPE FILE... --out DIR [--local] [--force] [--jobs N] [--json] [--quote] [--reference TEXT] [--metadata KEY=VALUE] [--run-on own]';

const RECIPE_FIELDS: readonly string[] = ['steps', 'outputs', 'preset', 'overrides'];
/** Fields of a request or of a saved preset, in whose place stand the files of the command. */
const OTHER_FIELDS: readonly string[] = ['name', 'version', 'updated_at', 'image_b64'];
const URL_FIELDS: readonly string[] = ['image_url', 'audio_url', 'video_url'];
/** Statuses after which the first attempt may still be running: a conflict with it, or too many looks at its job. */
const MAY_BE_RUNNING: readonly number[] = [409, 429];
/** Largest file that is uploaded only to learn its price. */
const QUOTED_BYTES_MAX = 16_000_000;

/**
 * Runs a recipe on files, and saves the results of each as `{name}-{step}.{ext}` in a folder. The folder keeps what is
 * complete, so that a later call goes on.
 * @returns the exit code of the first failure
 * @throws UsageError, naming the field of a wrong recipe: then nothing has run
 */
export async function runRecipeCommand(
  terminal: Terminal,
  args: readonly string[],
  options: LocalAbility,
): Promise<ExitCode> {
  const flags = readFlags(args);
  const { recipe, url } = await readRecipe(terminal.cwd, flags.recipe);
  const given = flags.inputs.length === 0 && url !== undefined ? [url] : flags.inputs;
  if (given.length === 0) throw new UsageError(`Name at least one file, folder or URL. ${USAGE}`);
  const folder = resolve(terminal.cwd, flags.out);
  const state = await RunState.open(folder, recipe);
  const { inputs: found } = await expandInputs('pipeline', terminal.cwd, given);
  const inputs = found.filter((input) => !state.isResult(findInput(terminal, input)));
  await Promise.all(inputs.map((input) => assertReadable(terminal.cwd, input)));
  const target = await openTarget(terminal, flags, options);
  try {
    await target.checkRecipe({ ...recipe, ...flags.fields });
    return await new RecipeRun({ terminal, target, state, folder, recipe, flags }).run(inputs);
  } finally {
    await target.close();
  }
}

interface RunParts {
  readonly terminal: Terminal;
  readonly target: Target;
  readonly state: RunState;
  readonly folder: string;
  readonly recipe: Recipe;
  readonly flags: ReturnType<typeof readFlags>;
}

/** One call of the command. */
class RecipeRun {
  readonly #parts: RunParts;
  readonly #charges: string[] = [];
  #done = 0;
  #stopped = 0;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  async run(inputs: readonly string[]): Promise<ExitCode> {
    const { terminal, target, state, flags } = this.#parts;
    const startedAtMs = performance.now();
    // In the order of the command, so that names do not depend on which ends first.
    const pending: string[] = [];
    for (const input of inputs) {
      const path = findInput(terminal, input);
      state.name(path);
      if (flags.force || !(await state.isComplete(path))) pending.push(input);
    }
    const skipped = inputs.length - pending.length;
    const progress = createProgressLine(terminal, pending.length);
    const report = createReport(terminal, progress, { json: flags.json, inputs: pending });
    if (!flags.quote && pending.length > 0) await this.#tellPrice(pending);
    const failed = new Set<string>();
    const code = await runEach(terminal, pending, {
      json: flags.json,
      jobs: flags.jobs ?? target.jobs,
      progress,
      report: {
        ...report,
        failed(input, failure) {
          failed.add(input);
          report.failed(input, failure);
        },
      },
      word: (message) => message,
      handle: async (input) => {
        const task = this.#task(input, (fraction) => progress.update(input, fraction));
        if (flags.quote) return report.quoted(input, await target.quote(task));
        await this.#runOne(task, (outcome, paths) => report.completed(input, outcome, paths));
      },
    });
    if (flags.quote) {
      report.end();
      return code;
    }
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    this.#summarize({
      skipped,
      failed: failed.size,
      left: pending.length - this.#done - failed.size,
      seconds,
    });
    return code;
  }

  #task(input: string, onProgress: (fraction: number) => void): Task {
    const { terminal, recipe, flags } = this.#parts;
    return {
      operation: 'pipeline',
      params: { ...recipe, ...flags.fields },
      input: findInput(terminal, input),
      signal: terminal.signal,
      onProgress,
    };
  }

  /** Says what the first file costs, and what all then would. */
  async #tellPrice(pending: readonly string[]): Promise<void> {
    const { terminal, target, flags } = this.#parts;
    if (flags.local) return;
    for (const input of pending) {
      const task = this.#task(input, () => {});
      if (!isUrl(input) && (await stat(task.input)).size > QUOTED_BYTES_MAX) continue;
      // What is wrong with a file is told when it runs.
      const quote = await target.quote(task).catch(() => undefined);
      if (quote) {
        const all = sumUsd(pending.map(() => quote.price_usd));
        if (flags.json) {
          const expected = { files: pending.length, expected_usd: all };
          terminal.out(`${JSON.stringify({ status: 'started', ...expected })}\n`);
        } else
          terminal.err(
            `${countFiles(pending.length)}, about ${all} USD: ${input} costs ${quote.price_usd} USD.\n`,
          );
      }
      return;
    }
  }

  /** Runs a recipe on one input, and saves its results. */
  async #runOne(task: Task, report: (outcome: Outcome, paths: readonly string[]) => void): Promise<void> {
    const { target, state, folder, flags, terminal } = this.#parts;
    const { input } = task;
    if (!flags.force) await this.#assertFree(input);
    const save = async (outcome: Outcome) => {
      const asked = outcome.files.map((file) => nameFile(state.name(input), file));
      const files = await state.claim(input, asked, flags);
      const paths = files.map((file) => join(folder, file));
      await saveAll(outcome, paths, { force: true, signal: terminal.signal });
      await state.complete(input, files);
      this.#done += 1;
      if (outcome.chargedUsd !== null) this.#charges.push(outcome.chargedUsd);
      if (Object(outcome.result).stopped_by !== undefined) this.#stopped += 1;
      report(outcome, paths);
    };
    const earlier = flags.force ? undefined : state.earlierKey(input);
    try {
      try {
        if (earlier !== undefined) return await target.run({ ...task, idempotencyKey: earlier }, save);
      } catch (thrown) {
        // What an earlier call has sent may have been canceled, or have been for another recipe.
        if (!hasNoResult(thrown)) throw thrown;
      }
      const idempotencyKey = randomUUID();
      if (!flags.local) await state.begin(input, idempotencyKey);
      await target.run({ ...task, idempotencyKey }, save);
    } catch (thrown) {
      if (hasNoResult(thrown) && !terminal.signal.aborted) await state.fail(input);
      throw thrown;
    }
  }

  /** @throws Error for a file that no run has written, at the place of a result, before it costs anything */
  async #assertFree(input: string): Promise<void> {
    const { state, folder, recipe } = this.#parts;
    const steps = Array.isArray(recipe.steps) ? recipe.steps.map((step) => Object(step)) : [];
    const unnamed = steps.filter(({ params }) => Object(params).output_name === undefined);
    const names = new Set(unnamed.map(({ id }) => `${state.name(input)}-${id}`));
    for (const file of await readdir(folder).catch(() => [])) {
      if (names.has(file.slice(0, file.length - extname(file).length))) await state.assertFree(file);
    }
  }

  #summarize(counts: {
    readonly skipped: number;
    readonly failed: number;
    readonly left: number;
    readonly seconds: number;
  }): void {
    const { terminal, flags } = this.#parts;
    const charged = flags.local ? null : sumUsd(this.#charges);
    const { skipped, failed, left, seconds } = counts;
    const stopped = this.#stopped;
    if (flags.json) {
      const summary = { status: 'summary', completed: this.#done, stopped, skipped, failed, not_run: left };
      terminal.out(`${JSON.stringify({ ...summary, charged_usd: charged, seconds })}\n`);
      return;
    }
    const parts = [
      `${countFiles(this.#done)} done in ${seconds} s`,
      stopped > 0 && `${stopped} of them ended by a flagged picture`,
      skipped > 0 && `${skipped} complete before`,
      failed > 0 && `${failed} failed`,
      left > 0 && `${left} not run`,
      charged !== null && `${charged} USD charged`,
    ];
    terminal.out(`${parts.filter(Boolean).join(', ')}.\n`);
  }
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** Returns the name of a result: `{name}-{step}.{ext}`, or what its step asks for. */
function nameFile(input: string, { name, title }: OutcomeFile): string {
  const extension = extname(name);
  const step = name.slice(0, name.length - extension.length).replaceAll('.', '-');
  return title ?? `${input}-${step}${extension}`;
}

/** Reports whether a request has ended without a result, so that repeating it brings none. */
function hasNoResult(thrown: unknown): boolean {
  const isRefused =
    thrown instanceof ApiError && thrown.status < 500 && !MAY_BE_RUNNING.includes(thrown.status);
  return thrown instanceof JobFailedError || isRefused;
}

/** Reads the file of a recipe. @throws UsageError naming a field that no recipe has */
async function readRecipe(cwd: string, path: string): Promise<{ recipe: Recipe; url: string | undefined }> {
  const text = await readFile(resolve(cwd, path), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: ${thrown.code === 'ENOENT' ? 'there is no such file' : thrown.message}.`);
  });
  const fields = Object.entries(parseObject(path, text));
  const unknown = fields.find(([name]) => ![...RECIPE_FIELDS, ...OTHER_FIELDS, ...URL_FIELDS].includes(name));
  if (unknown) {
    throw new UsageError(`${path}: ${unknown[0]}: unknown field. A recipe has ${RECIPE_FIELDS.join(', ')}.`);
  }
  const url = fields.find(([name, value]) => URL_FIELDS.includes(name) && typeof value === 'string')?.[1];
  const recipe = Object.fromEntries(fields.filter(([name]) => RECIPE_FIELDS.includes(name)));
  return { recipe, url: url === undefined ? undefined : String(url) };
}

function parseObject(path: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (thrown) {
    throw new UsageError(`${path}: is no JSON. ${thrown instanceof Error ? thrown.message : ''}`);
  }
  throw new UsageError(`${path}: must be a JSON object with steps.`);
}

function readFlags(args: readonly string[]) {
  const options = {
    out: { type: 'string', short: 'o' },
    local: { type: 'boolean', default: false },
    force: { type: 'boolean', short: 'f', default: false },
    json: { type: 'boolean', default: false },
    quote: { type: 'boolean', default: false },
    jobs: { type: 'string', short: 'j' },
    reference: { type: 'string' },
    metadata: { type: 'string', multiple: true },
    'run-on': { type: 'string' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [recipe, ...inputs] = positionals;
    if (recipe === undefined) throw new Error('Name a recipe.');
    if (values.out === undefined) throw new Error('--out: name the folder of the results.');
    if (inputs.includes(STANDARD)) throw new Error('- does not go with a recipe.');
    const { out, local, force, json, quote } = values;
    return {
      recipe,
      inputs,
      out,
      local,
      force,
      json,
      quote,
      jobs: readJobs(values.jobs),
      fields: readJobFields(values),
    };
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new UsageError(`${thrown instanceof Error ? thrown.message : thrown} ${USAGE}`, { cause: thrown });
  }
}
