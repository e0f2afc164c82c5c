import { listOutputs } from '../../../models/pipeline/recipes.ts';
import type { Tool } from '../tools/tool.ts';
import { TOOL_LIST } from '../tools/tools.ts';

/** Step of a recipe on the page. */
export interface DraftStep {
  readonly id: string;
  /** Short name of its operation. */
  readonly operation: string;
  /** `input`, an earlier step, or one of its files. */
  readonly from: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly stop_if_flagged?: boolean | undefined;
}

/** Recipe as it is built. */
export interface Draft {
  readonly steps: readonly DraftStep[];
  /** Steps whose files are the result; absent for those that no other reads. */
  readonly outputs?: readonly string[] | undefined;
}

/** Recipe as a request has it. */
export interface RecipeJson {
  readonly steps: readonly object[];
  readonly outputs?: readonly string[];
}

export const EMPTY_DRAFT: Draft = { steps: [] };

const INPUT = 'input';

/** Returns the tool of a step. @throws RangeError when there is none */
export function getTool({ operation }: Pick<DraftStep, 'operation'>): Tool {
  const tool = TOOL_LIST.find(({ slug }) => slug === operation);
  if (!tool) throw new RangeError(`There is no tool ${operation}.`);
  return tool;
}

/** Tools whose results are images, for further steps. */
const IMAGE_MAKERS = ['convert', 'remove-bg', 'upscale', 'extend'];

/** Adds a step at the end. An image tool reads the step before it where that makes one image. */
export function addStep(
  draft: Draft,
  tool: Pick<Tool, 'slug' | 'takes'>,
  params: DraftStep['params'] = {},
): Draft {
  const last = draft.steps.at(-1);
  const isChained =
    last &&
    IMAGE_MAKERS.includes(last.operation) &&
    IMAGE_MAKERS.includes(tool.slug) &&
    !last.params.num_images;
  const id = uniqueId(draft, tool.slug);
  const from = isChained ? last.id : INPUT;
  return withSteps(draft, [...draft.steps, { id, operation: tool.slug, from, params }]);
}

function uniqueId({ steps }: Draft, name: string): string {
  const ids = steps.map(({ id }) => id);
  for (let number = 1; ; number++) {
    const id = number === 1 ? name : `${name}-${number}`;
    if (!ids.includes(id)) return id;
  }
}

/** Removes a step. The steps that read it read its source. */
export function removeStep(draft: Draft, id: string): Draft {
  const removed = draft.steps.find((step) => step.id === id);
  if (!removed) return draft;
  const left = draft.steps
    .filter((step) => step.id !== id)
    .map((step) => (getBase(step) === id ? { ...step, from: removed.from } : step));
  return withSteps(draft, left);
}

/** Moves a step up or down. A step that would read a later one reads that one's source. */
export function moveStep(draft: Draft, id: string, by: 1 | -1): Draft {
  const at = draft.steps.findIndex((step) => step.id === id);
  const to = at + by;
  const [moved, other] = [draft.steps[at], draft.steps[to]];
  if (!moved || !other) return draft;
  const steps = [...draft.steps];
  steps[at] = other;
  steps[to] = moved;
  const [first, second] = by < 0 ? [moved, other] : [other, moved];
  if (getBase(first) === second.id) {
    steps[Math.min(at, to)] = { ...first, from: second.from };
  }
  return withSteps(draft, steps);
}

/** Replaces a step, whose new id its readers and the outputs follow. */
export function changeStep(draft: Draft, id: string, changes: Partial<DraftStep>): Draft {
  const newId = changes.id ?? id;
  const follow = (from: string) => (from.split('/')[0] === id ? from.replace(id, newId) : from);
  return {
    steps: draft.steps.map((step) =>
      step.id === id ? { ...step, ...changes } : { ...step, from: follow(step.from) },
    ),
    ...(draft.outputs && { outputs: draft.outputs.map((each) => (each === id ? newId : each)) }),
  };
}

/** Adds a step to the result, or takes it out. */
export function setOutput(draft: Draft, id: string, isOutput: boolean): Draft {
  const before = listOutputs(draft);
  const outputs = draft.steps
    .map((step) => step.id)
    .filter((each) => (each === id ? isOutput : before.includes(each)));
  const usual = listOutputs({ steps: draft.steps });
  const isUsual = outputs.length === usual.length && outputs.every((each) => usual.includes(each));
  return { steps: draft.steps, ...(!isUsual && outputs.length > 0 && { outputs }) };
}

/** Lists what a step may read: the input, and the steps before it. */
export function listSources({ steps }: Draft, id: string): readonly string[] {
  const at = steps.findIndex((step) => step.id === id);
  return [INPUT, ...steps.slice(0, at).map((step) => step.id)];
}

/** Returns the step that a step reads; `input` for none. */
export function getBase({ from }: Pick<DraftStep, 'from'>): string {
  return from.split('/')[0] ?? INPUT;
}

/** Returns a recipe as a request has it, without what is usual. */
export function toJson({ steps, outputs }: Draft): RecipeJson {
  return {
    steps: steps.map(({ id, operation, from, params, stop_if_flagged }) => ({
      id,
      operation,
      ...(from !== INPUT && { from }),
      ...(Object.keys(params).length > 0 && { params }),
      ...(stop_if_flagged && { stop_if_flagged }),
    })),
    ...(outputs && { outputs }),
  };
}

/** Returns a name that a recipe may have for one that was typed: `Shop photos 2` gives `shop-photos-2`. */
export function toRecipeName(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 64);
}

function withSteps({ outputs }: Draft, steps: readonly DraftStep[]): Draft {
  const kept = outputs?.filter((id) => steps.some((step) => step.id === id));
  return { steps, ...(kept && kept.length > 0 && { outputs: kept }) };
}
