import { z } from 'zod';
import { findByCommand, getCommand, type Operation } from '../core/operation/define-operation.ts';
import { isDirectOnly } from '../core/operation/direct-response.ts';
import { fieldError, OperationError } from '../core/operation/errors.ts';
import { parseParams } from '../core/operation/params.ts';

const STEPS_MAX = 16;

/** Operations that steps may name, by id. */
export type StepOperations = Readonly<Record<string, Operation>>;

const stepSchema = z.strictObject({
  id: z
    .string()
    .max(32)
    .regex(
      /^[a-z][a-z0-9-]{0,31}$/,
      'must begin with a letter a to z, and have at most 32 of a to z, 0 to 9 and -',
    )
    .refine((id) => id !== 'input', 'must not be input')
    .meta({ description: 'Name of the step.', example: 'shop' }),
  operation: z.string().max(100).meta({ description: 'Short name of an operation.', example: 'convert' }),
  from: z.string().max(100).default('input').meta({
    description: 'Source: input, an earlier step, or one of its files such as stems/vocals or variants/0.',
  }),
  params: z
    .record(z.string().max(100), z.unknown())
    .default({})
    .meta({ description: 'Fields of a request for that operation, without its file.' }),
  stop_if_flagged: z.boolean().optional().meta({
    description: 'Of a moderation: a flagged input ends the job, without the later steps.',
  }),
});

/** Checked step: its operation by its short name, its params with their defaults. */
export type Step = z.output<typeof stepSchema>;

const outputsSchema = z.array(z.string().max(32)).min(1).max(STEPS_MAX).optional().meta({
  description: 'Steps whose files are the result, in this order. By default those that no step reads.',
});

/** Steps, and those whose files are the result. */
export interface Recipe {
  readonly steps: readonly Step[];
  readonly outputs?: readonly string[] | undefined;
}

/**
 * Finds the operation of a step, by its short name, its id or an earlier name.
 * @throws RangeError when there is none
 */
export function getStepOperation(operations: StepOperations, name: string): Operation {
  const found = findStepOperation(operations, name);
  if (!found) throw new RangeError(`No step runs ${name}.`);
  return found;
}

function findStepOperation(operations: StepOperations, name: string): Operation | undefined {
  return Object.hasOwn(operations, name) ? operations[name] : findByCommand(Object.values(operations), name);
}

/** Builds the schema of the params of a pipeline. A preset stands in the place of steps until it is resolved. */
export function createParamsSchema(operations: StepOperations) {
  const names = Object.values(operations).map((operation) => getCommand(operation).name);
  const step = stepSchema.transform((given, context): Step => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message, input: given });
    const operation = findStepOperation(operations, given.operation);
    if (!operation) {
      refuse(['operation'], `must be one of ${names.join(', ')}`);
      return given;
    }
    if (given.stop_if_flagged !== undefined && !isDirectOnly(operation)) {
      refuse(['stop_if_flagged'], 'is allowed only for moderate');
    }
    try {
      const params = parseParams(operation.params, given.params) as Record<string, unknown>;
      return { ...given, operation: getCommand(operation).name, params };
    } catch (thrown) {
      if (!(thrown instanceof OperationError)) throw thrown;
      const { field, message } = thrown;
      const problem = field && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
      refuse(['params', ...(field ? [field] : [])], problem.replace(/\.$/, ''));
      return given;
    }
  });
  return z
    .strictObject({
      steps: z
        .array(step)
        .min(1)
        .max(STEPS_MAX)
        .optional()
        .meta({
          description: 'Steps, in an order in which each reads the input or an earlier one.',
          example: [{ id: 'shop', operation: 'convert', params: { to_format: 'webp', width: 1200 } }],
        }),
      outputs: outputsSchema,
      preset: z.string().max(100).optional().meta({
        description:
          'Name of a saved recipe in the place of steps, with or without its version: shop, shop@3.',
      }),
      overrides: z
        .record(z.string().max(32), z.record(z.string().max(100), z.unknown()))
        .optional()
        .meta({
          description: 'Params by step that replace those of the recipe; null removes one.',
        }),
    })
    .superRefine(({ steps, outputs, preset, overrides }, context) => {
      const refuse = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message, input: steps });
      if (preset !== undefined) refuse(['preset'], 'is known to the service only');
      if (overrides !== undefined) refuse(['overrides'], 'are applied by the service only');
      if (!steps) return refuse(['steps'], 'required, must be an array');
      for (const [at, { id, from }] of steps.entries()) {
        const earlier = steps.slice(0, at).map((step) => step.id);
        if (earlier.includes(id)) refuse(['steps', at, 'id'], `${id} names an earlier step already`);
        const [source = ''] = from.split('/');
        if (from !== 'input' && !earlier.includes(source)) {
          refuse(
            ['steps', at, 'from'],
            `must be input or an earlier step: ${earlier.join(', ') || 'there is none'}`,
          );
        }
      }
      const ids = steps.map(({ id }) => id);
      for (const [at, output] of (outputs ?? []).entries()) {
        if (!ids.includes(output)) refuse(['outputs', at], `must be one of the steps ${ids.join(', ')}`);
        if (outputs?.indexOf(output) !== at) refuse(['outputs', at], `${output} is listed twice`);
      }
    });
}

export type PipelineParams = z.output<ReturnType<typeof createParamsSchema>>;

/** Returns the recipe of checked params. */
export function getRecipe({ steps = [], outputs }: Pick<PipelineParams, 'steps' | 'outputs'>): Recipe {
  return { steps, outputs };
}

/**
 * Completes the body of a request: applies its overrides to its steps.
 * @throws OperationError `bad_request` for a preset next to steps, or one that is unknown here, and for the override of
 *   an unknown step
 */
export function applyOverrides(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { preset, overrides, ...rest } = body as Record<string, unknown>;
  if (preset !== undefined) {
    throw fieldError(
      'preset',
      'steps' in rest && rest.steps !== undefined
        ? 'stands in the place of steps. Send one of them.'
        : `there is no preset "${String(preset)}" or no such version of it.`,
    );
  }
  if (overrides === undefined) return rest;
  if (!isRecord(overrides)) throw fieldError('overrides', 'must be an object of params by step.');
  const { steps } = rest;
  // The schema says what steps must be.
  if (!Array.isArray(steps)) return rest;
  const ids = steps.map((step) => isRecord(step) && step.id);
  const unknown = Object.keys(overrides).find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw fieldError(`overrides.${unknown}`, `there is no such step. Steps: ${ids.join(', ')}.`);
  const wrong = Object.keys(overrides).find((id) => !isRecord(overrides[id]));
  if (wrong !== undefined) throw fieldError(`overrides.${wrong}`, 'must be an object of params.');
  const applied = steps.map((step: unknown) => {
    const changes = isRecord(step) ? overrides[String(step.id)] : undefined;
    if (!isRecord(step) || !isRecord(changes)) return step;
    const params = { ...(isRecord(step.params) ? step.params : {}), ...changes };
    return {
      ...step,
      params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
    };
  });
  return { ...rest, steps: applied };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
