import { OperationError } from '../../../models/core/operation/errors.ts';
import { parseJson } from '../../../models/core/operation/json.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { getStepOperation } from '../../../models/pipeline/schema.ts';
import { OPERATIONS, SINGLE_OPERATIONS } from '../../../models/registry.ts';
import type { Draft, DraftStep } from './draft.ts';

/**
 * Reads a recipe from JSON text or a value, as a request would be read. Loaded with the first recipe: it has the
 * definitions of all operations.
 * @throws OperationError `bad_request` that names the field
 */
export function readRecipe(given: unknown): Draft {
  const value = typeof given === 'string' ? parseJson(given) : given;
  // A saved preset has further members.
  const { steps, outputs } = isRecord(value) ? value : {};
  const recipe = { steps, ...(outputs !== undefined && { outputs }) };
  const parsed = parseParams(OPERATIONS.pipeline.params, isRecord(value) ? recipe : value);
  // The steps stay as they were written: defaults would fill the page and the file.
  const written = Array.isArray(steps) ? steps : [];
  return {
    steps: (parsed.steps ?? []).map((step, at): DraftStep => {
      const { params } = { params: {}, ...(written[at] as Partial<DraftStep>) };
      return { ...step, operation: getName(step.operation), params };
    }),
    ...(parsed.outputs && { outputs: parsed.outputs }),
  };
}

/** Says what is wrong with a recipe; undefined where it can run. */
export function findRecipeFault(recipe: object): string | undefined {
  try {
    readRecipe(recipe);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof OperationError) return thrown.message;
    throw thrown;
  }
}

function getName(operation: string): string {
  return getStepOperation(SINGLE_OPERATIONS, operation).command?.name ?? operation;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
