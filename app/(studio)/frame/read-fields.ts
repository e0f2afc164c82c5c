import { z } from 'zod';
import type { Operation } from '../../../models/operation.ts';
import type { Field } from './fields.ts';

/**
 * The fields of an operation's parameters, in order. Runs on the server, so that no page carries the schemas. What is
 * free text has no control here: such a parameter keeps its default, or its tool's own page gives it one.
 */
export function fieldsOf(operation: Operation): Field[] {
  const { properties = {} } = z.toJSONSchema(operation.params, { io: 'input' });
  return Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property === 'boolean') throw new TypeError(`${name}: has no schema`);
    return fieldOf(name, property) ?? [];
  });
}

function fieldOf(name: string, schema: z.core.JSONSchema.BaseSchema): Field | null {
  if (schema.enum) {
    const values = schema.enum.map(String);
    return { kind: 'choice', name, values, initial: String(schema.default ?? values[0]) };
  }
  if (schema.type === 'boolean') return { kind: 'switch', name, initial: schema.default === true };
  if (schema.minimum !== undefined && schema.maximum !== undefined) {
    const { minimum: min, maximum: max } = schema;
    return { kind: 'range', name, min, max, initial: Number(schema.default ?? min) };
  }
  if (schema.type === 'string') return null;
  throw new TypeError(`${name}: the form has no control for this kind of parameter`);
}
