import { type Draft, type DraftStep, getBase } from './draft.ts';

/** Run that makes the results of some steps, from the input or the file of a step that is known. */
export interface PreviewRun {
  /** `input`, or the file of a step as `from` names it. */
  readonly source: string;
  /** Steps of the run, of which the first ones read its own input. */
  readonly steps: readonly DraftStep[];
}

/** Result of a step on the picture of the page. */
export interface KnownStep {
  /** All that the result depends on. */
  readonly key: string;
  readonly isFailed: boolean;
}

/** Returns all that the result of each step depends on. @param input names the file that the recipe reads */
export function keySteps({ steps }: Draft, input: string): ReadonlyMap<string, string> {
  const keys = new Map([['input', input]]);
  for (const step of steps) {
    const [operation, params] = [step.operation, step.params];
    keys.set(step.id, JSON.stringify([operation, params, step.from, keys.get(getBase(step))]));
  }
  return keys;
}

/**
 * Plans the runs that make the missing results of a recipe: steps that read the same file run together and share what is
 * decoded. Steps behind a failed one wait for its change.
 */
export function planPreview(
  draft: Draft,
  keys: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, KnownStep>,
): readonly PreviewRun[] {
  const sources = new Map<string, string>();
  const runs = new Map<string, DraftStep[]>();
  for (const step of draft.steps) {
    const isKnown = (id: string) => known.get(id)?.key === keys.get(id);
    if (isKnown(step.id)) continue;
    const base = getBase(step);
    const isFromFile = base === 'input' || isKnown(base);
    const source = isFromFile ? step.from : sources.get(base);
    if (source === undefined || (isFromFile && known.get(base)?.isFailed)) continue;
    sources.set(step.id, source);
    const steps = runs.get(source) ?? [];
    runs.set(source, [...steps, isFromFile ? { ...step, from: 'input' } : step]);
  }
  return [...runs].map(([source, steps]) => ({ source, steps }));
}

/** Returns the step that an error of a run names; undefined where it names none. */
export function findFailedStep(message: string, { steps }: PreviewRun): string | undefined {
  const [, id] = /^steps\.([a-z\d-]+)[:.]/.exec(message) ?? [];
  if (id !== undefined) return id;
  const [, at] = /^steps\[(\d+)\]/.exec(message) ?? [];
  return at === undefined ? undefined : steps[Number(at)]?.id;
}

/** Returns the part of a file's name by which other steps read it: `vocals` of `stems.vocals.mp3`. */
export function nameInStep(id: string, name: string): string {
  return name.slice(id.length + 1, name.lastIndexOf('.'));
}

/** Finds the file that `from` names among those of its step; undefined where it names none, or one of several is meant. */
export function findStepFile<File extends { readonly name: string }>(
  files: readonly File[],
  from: string,
): File | undefined {
  const [id = '', chosen] = from.split('/');
  if (chosen === undefined) return files.length === 1 ? files[0] : undefined;
  return files.find(({ name }, at) => String(at) === chosen || nameInStep(id, name) === chosen);
}
