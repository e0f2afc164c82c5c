import type { ListedField } from './listed-field.ts';

/** JSON Schema, as far as the OpenAPI document uses it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** Schemas of the document by their names. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

/** Whether fields are sent or received: senders ask what is required, receivers what may be null. */
type Direction = 'request' | 'response';

/**
 * Lists the fields of an object, from the schema that checks it. Members of objects follow under dotted names, and
 * those of lists under `name[].member`.
 */
export function schemaFields(
  schema: JsonSchema,
  schemas: NamedSchemas,
  direction: Direction,
  prefix = '',
): readonly ListedField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, given]) => {
    const property = resolved(given, schemas);
    const note =
      direction === 'response' ? typeOf(given, property) : sentNote(property, required.includes(name));
    // Its table has a page of its own.
    const values = isErrorCode(given) ? '' : valuesOf(property);
    const inner = property.items ? resolved(property.items, schemas) : property;
    return [
      {
        name: prefix + name,
        ...(note && { note }),
        text: given.description ?? property.description ?? '',
        ...(values && { values }),
      },
      ...schemaFields(inner, schemas, direction, `${prefix}${name}${property.items ? '[]' : ''}.`),
    ];
  });
}

/** Reports whether a field holds the code of an error. */
function isErrorCode({ $ref, anyOf = [] }: JsonSchema): boolean {
  return [{ $ref }, ...anyOf].some((each) => each.$ref?.endsWith('/ErrorCode'));
}

/** Returns the schema behind a reference, or the one that is not null. */
function resolved(schema: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const named = schema.$ref && schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  const chosen = schema.anyOf?.find(({ type }) => type !== 'null');
  const next = named || chosen;
  return next ? resolved(next, schemas) : schema;
}

function sentNote({ default: initial }: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  return initial === undefined ? '' : `default ${initial}`;
}

function typeOf({ anyOf, type }: JsonSchema, property: JsonSchema): string {
  const types = [property.type ?? 'any'].flat().filter((each) => each !== 'null');
  const mayBeNull = anyOf?.some((each) => each.type === 'null') || type?.includes('null');
  return [...types.map((each) => (each === 'array' ? 'list' : each)), ...(mayBeNull ? ['null'] : [])].join(
    ' or ',
  );
}

/** Returns the accepted values: `jpg, png`, `1 to 100`, `true or false`; empty for any text. */
function valuesOf({ enum: all, type, minimum, maximum }: JsonSchema): string {
  if (all) return all.join(', ');
  if (type === 'boolean') return 'true or false';
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${minimum} to ${maximum}` : '';
}
