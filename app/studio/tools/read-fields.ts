import { z } from 'zod';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { Field } from './fields.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Sliders with a smaller span move in hundredths. */
const FINE_SPAN = 10;

/**
 * Returns the fields of an operation's parameters, in order. Runs on the server, so that no page bundle contains the
 * schemas. Objects have no control here: such a parameter keeps its default, or its tool's own page offers one.
 */
export function readFields({ params }: Pick<Operation, 'params'>): Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    if (typeof property === 'boolean') throw new TypeError(`${name}: has no schema`);
    const isOptional = property.default === undefined && !required.includes(name);
    return getField(name, property, isOptional);
  });
}

/** Returns the descriptions of an operation's parameters by their names, as plain text: without the signs that mark code. */
export function readMeanings({ params }: Pick<Operation, 'params'>): Readonly<Record<string, string>> {
  const { properties = {} } = z.toJSONSchema(params, { io: 'input' });
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { description = '' } = typeof property === 'boolean' ? {} : property;
      return [name, description.replaceAll('`', '')];
    }),
  );
}

function getField(name: string, schema: Schema, isOptional: boolean): Field {
  if (schema.enum) return getChoice(name, schema, isOptional);
  switch (schema.type) {
    case 'boolean':
      return { kind: 'switch', name, initial: schema.default === true };
    case 'integer':
    case 'number':
      return getNumber(name, schema, isOptional);
    case 'array':
      return getList(name, schema);
    case 'string':
      return {
        kind: 'text',
        name,
        initial: schema.default === undefined ? undefined : String(schema.default),
      };
    case 'object':
      return { kind: 'object', name, initial: undefined };
    default:
      throw new TypeError(`${name}: the form has no control for this kind of parameter`);
  }
}

function getChoice(name: string, { enum: all = [], default: initial }: Schema, isOptional: boolean): Field {
  const values = all.map(choice);
  const first = isOptional ? undefined : values[0];
  return { kind: 'choice', name, values, initial: values.find((value) => value === initial) ?? first };
}

function getNumber(name: string, schema: Schema, isOptional: boolean): Field {
  const isInteger = schema.type === 'integer';
  const min = bound(schema.minimum);
  const max = bound(schema.maximum);
  if (min !== undefined && max !== undefined && !isOptional) {
    const step = isInteger || max - min >= FINE_SPAN ? 1 : 0.01;
    return { kind: 'range', name, min, max, step, initial: Number(schema.default ?? min) };
  }
  const initial = isOptional ? undefined : Number(schema.default ?? min ?? 0);
  return { kind: 'number', name, min, max, isInteger, isOptional, initial };
}

/** Returns a bound that the operation has set, but not the limit of the number type. */
function bound(number: number | undefined): number | undefined {
  return number === undefined || Math.abs(number) >= Number.MAX_SAFE_INTEGER ? undefined : number;
}

function getList(name: string, { items, default: initial }: Schema): Field {
  const values = typeof items === 'object' && !Array.isArray(items) ? (items.enum ?? []).map(choice) : [];
  if (values.length === 0) throw new TypeError(`${name}: the form has no control for a list of anything`);
  return { kind: 'list', name, values, initial: Array.isArray(initial) ? initial.map(choice) : values };
}

/** Returns a value as the operation accepts it: a number stays a number. */
function choice(value: unknown): string | number {
  return typeof value === 'number' ? value : String(value);
}
