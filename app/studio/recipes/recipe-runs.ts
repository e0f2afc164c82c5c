import { RUNS_MAX } from '../../../workers/bridge/run-slots.ts';
import { runOperation } from '../../../workers/operation/run-operation.ts';
import { describeMessages } from '../failures/describe-failure.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import type { BatchItem, FileResult, RunFile } from '../runs/batch.ts';
import { type NamedResult, withUniqueNames } from '../runs/result-names.ts';
import { getResults } from '../runs/results.ts';
import { Batch } from '../runs/run-batch.ts';
import { runOnServer } from '../runs/run-on-server.ts';
import { guardTab } from '../session/session.ts';
import { listFlagged } from './list-flagged.ts';
import { ResultFolder } from './result-folder.ts';

type Options = Parameters<RunFile>[2];

/** Folder and names of the files of a run. */
interface Delivery {
  /** Pattern of a file's name, such as `{name}-{width}.{ext}`; empty for the names that the recipe gives. */
  readonly pattern: string;
  /** Folder on this device that gets each file as soon as it is made; without one they stay with the page. */
  readonly folder: FileSystemDirectoryHandle | undefined;
}

/** Files of the page that a recipe runs over, with how its results are delivered. They outlive the page. */
export class RecipeRuns {
  readonly batch = new Batch(
    (file, request, options) => this.#run(file, request, options),
    RUNS_MAX,
    Date.now(),
  );
  #delivery: Delivery = { pattern: '', folder: undefined };
  #folder: ResultFolder | undefined;
  /** Recipe of the results, as JSON. */
  #made: string | undefined;

  constructor() {
    this.batch.subscribe(() => guardTab(this, this.batch.view().isRunning));
  }

  /** Reports whether the results are those of another recipe. */
  isOutdated(recipe: object): boolean {
    return this.#made !== undefined && this.#made !== JSON.stringify(recipe);
  }

  /**
   * Runs all files without a result of this recipe. Those that failed run again, and those alone where all others are
   * done.
   */
  start(recipe: object, location: 'device' | 'server', delivery: Delivery): void {
    if (this.isOutdated(recipe)) this.batch.reset();
    this.#made = JSON.stringify(recipe);
    this.#delivery = delivery;
    const { folder } = delivery;
    if (folder !== this.#folder?.handle) this.#folder = folder && new ResultFolder(folder);
    void this.batch.start({ paramsFor: () => recipe, location });
  }

  /** Returns all results, named by a pattern, no two under one name. */
  async getResults(pattern: string): Promise<readonly NamedResult[]> {
    const { items } = this.batch.view();
    const params = JSON.parse(this.#made ?? '{}');
    const results = await Promise.all(
      items.map(async (item, at) => {
        if (item.state.phase !== 'done') return [];
        const names = await nameFiles(item.file, params, item.state.result, { pattern, number: at + 1 });
        return getResults(withNames(item.file, item.state.result, names));
      }),
    );
    return withUniqueNames(results.flat());
  }

  async #run(
    file: File,
    { paramsFor, location }: Parameters<RunFile>[1],
    options: Options,
  ): Promise<FileResult> {
    const params = paramsFor(file);
    const ran = await (location === 'device'
      ? runOnDevice(file, params, options)
      : runOnServer('pipeline', file, params, options));
    const made = { ...ran, warnings: [...listFlagged(ran), ...ran.warnings] };
    const folder = this.#folder;
    if (!folder) return made;
    const { items } = this.batch.view();
    const at = items.findIndex((item) => item.file === file);
    const { pattern } = this.#delivery;
    const names = await nameFiles(file, params, made, { pattern, number: at + 1 });
    for (const { name, file: result } of getResults(withNames(file, made, names))) {
      await folder.write(`${items[at]?.id}/${result.name}`, name, result.blob);
    }
    // What is in the folder leaves the page's memory.
    return { warnings: made.warnings, files: [], ...(made.server && { server: made.server }) };
  }
}

function withNames(file: File, made: FileResult, names: readonly string[]): BatchItem {
  return { id: 0, file, state: { phase: 'done', result: { ...made, names }, durationSeconds: 0 } };
}

let runs: RecipeRuns | undefined;

/** Returns the runs of this tab. */
export function getRecipeRuns(): RecipeRuns {
  // While the server renders there is no tab, only many visitors.
  if (typeof window === 'undefined') return new RecipeRuns();
  runs ??= new RecipeRuns();
  return runs;
}

async function runOnDevice(file: File, params: object, options: Options): Promise<FileResult> {
  const { files, warnings, details } = await runOperation('pipeline', file, params, options);
  const told = describeMessages(warnings.map(({ message }) => message));
  return { files, warnings: told, ...(details && { details }) };
}

/** Names the files of a result by a pattern, else as the server does: by the recipe, and the step that made them. */
async function nameFiles(
  file: File,
  params: object,
  { files }: FileResult,
  { pattern, number }: { readonly pattern: string; readonly number: number },
): Promise<readonly string[]> {
  const [{ OPERATIONS }, { fillPattern, nameResult }] = await Promise.all([
    import('../../../models/registry.ts'),
    import('../../../models/core/operation/result-file.ts'),
  ]);
  return await Promise.all(
    files.map(async ({ name, blob }) => {
      const image = await probeImageFile(blob).catch(() => undefined);
      const facts = image ? { width: image.width, height: image.height } : {};
      const [step = '', ...rest] = name.split('.');
      const extension = rest.at(-1) ?? '';
      const part = rest.length > 1 ? `-${rest.slice(0, -1).join('-')}` : '';
      const stem = pattern.replace(/\.?\{ext\}$/, '');
      const filled =
        stem &&
        fillPattern({ pattern: `${stem}${part}`, step }, file.name.replace(/\.[^.]+$/, ''), {
          facts,
          number,
        });
      if (filled) return `${filled}.${extension}`;
      return nameResult(OPERATIONS.pipeline, file.name, name, { params, facts, number });
    }),
  );
}
