import type { ReactNode } from 'react';
import { batchPath } from '../../models/core/operation/batch.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../models/core/operation/money.ts';
import { getBytesMax } from '../../models/core/operation/request.ts';
import { openApiDocument } from '../../server/api/openapi-document.ts';
import type { Operations } from '../../server/base/context/context.ts';
import { formatBytes } from '../ui/quantities.ts';

/** Line of a list: a field, a state or a status, with its meaning. */
export interface ListedField {
  readonly name: string;
  /** Small, below the name: `required`, `default 92`. */
  readonly note?: string;
  readonly text: ReactNode;
  /** Accepted values, on a line of their own. */
  readonly values?: string;
}

/** JSON Schema, as far as the OpenAPI document uses it. */
interface JsonSchema {
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
type NamedSchemas = Readonly<Record<string, JsonSchema>>;

/** Whether fields are sent or received: senders ask what is required, receivers what may be null. */
type Direction = 'request' | 'response';

interface Content {
  readonly [mediaType: string]: { readonly schema: JsonSchema };
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: NamedSchemas };
}

/** Fields of a request or response, under a heading of their own. */
export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly ListedField[];
}

/** A path and method of the API, as the reference shows it. */
export interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Headers that may carry the key; empty for a path that needs none. */
  readonly keys: readonly string[];
  /** Media type of the body, if it has one. */
  readonly bodyType: string | undefined;
  readonly groups: readonly FieldGroup[];
  readonly statuses: readonly ListedField[];
  /** Operation that the path runs, one at a time or in batches. */
  readonly operation: Operation | undefined;
}

const KEY_HEADERS: Readonly<Record<string, string>> = {
  subscriptionKey: 'Ocp-Apim-Subscription-Key',
  bearer: 'Authorization: Bearer',
};

/**
 * Lists the endpoints of the API from its OpenAPI document.
 * @param options.gplEncoders whether formats that need GPL encoders are available
 */
export function getEndpoints(
  operations: Operations,
  options: { readonly gplEncoders: boolean },
): readonly Endpoint[] {
  const { paths, components } = openApiDocument('', operations, options) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      getEndpoint(operations, path, method, described, components.schemas),
    ),
  );
}

function getEndpoint(
  operations: Operations,
  path: string,
  method: string,
  described: Described,
  schemas: NamedSchemas,
): Endpoint {
  const { operationId, summary, description = '', security, requestBody, responses } = described;
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    title: summary,
    description,
    keys: security.flatMap(Object.keys).map((name) => KEY_HEADERS[name] ?? name),
    bodyType,
    groups: [
      ...parameterGroups(described, schemas),
      { title: 'Body', fields: body ? schemaFields(body.schema, schemas, 'request') : [] },
      ...Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { content = {} }]) => ({
          title: `Response: ${status}`,
          fields: Object.values(content).flatMap(({ schema }) => schemaFields(schema, schemas, 'response')),
        })),
    ].filter(({ fields }) => fields.length > 0),
    statuses: Object.entries(responses).map(([status, response]) => ({
      name: status,
      text: response.description,
    })),
    operation: Object.values(operations).find(
      (each) => each.path === path || (each.batch && batchPath(each) === path),
    ),
  };
}

/** Groups parameters by their place: the path, the query or headers. */
function parameterGroups({ parameters = [] }: Described, schemas: NamedSchemas): readonly FieldGroup[] {
  const titles = { path: 'Path', query: 'Query', header: 'Headers' };
  return Object.entries(titles).map(([place, title]) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const schema = {
      properties: Object.fromEntries(own.map((parameter) => [parameter.name, parameter.schema])),
      required: own.filter((parameter) => parameter.required).map(({ name }) => name),
    };
    return { title, fields: schemaFields(schema, schemas, 'request') };
  });
}

/**
 * Lists the fields of an object, from the schema that checks it. Members of objects follow under dotted names, and
 * those of lists under `name[].member`.
 */
function schemaFields(
  schema: JsonSchema,
  schemas: NamedSchemas,
  direction: Direction,
  prefix = '',
): readonly ListedField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, given]) => {
    const property = resolved(given, schemas);
    const note =
      direction === 'response' ? getType(given, property) : sentNote(property, required.includes(name));
    // Its table has a separate page.
    const values = isErrorCode(given) ? '' : getValues(property);
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
  if (initial === undefined) return '';
  return `default ${typeof initial === 'object' ? JSON.stringify(initial) : initial}`;
}

function getType({ anyOf, type }: JsonSchema, property: JsonSchema): string {
  const types = [property.type ?? 'any'].flat().filter((each) => each !== 'null');
  const mayBeNull = anyOf?.some((each) => each.type === 'null') || type?.includes('null');
  return [...types.map((each) => (each === 'array' ? 'list' : each)), ...(mayBeNull ? ['null'] : [])].join(
    ' or ',
  );
}

/** Returns the accepted values: `jpg, png`, `1 to 100`, `true or false`; empty for any text. */
function getValues({ enum: all, type, minimum, maximum }: JsonSchema): string {
  if (all) return all.join(', ');
  if (type === 'boolean') return 'true or false';
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${minimum} to ${maximum}` : '';
}

/** Returns the prices of an operation: `$0.01 per image, $0.05 per started second of video`. */
export function getPrice({ rates }: Operation): string {
  return Object.values(rates)
    .map(({ amount, per }) => `$${formatUsd(amount)} per ${per}`)
    .join(', ');
}

/** Returns the largest file and the longest run of an operation. */
export function getLimit(operation: Operation): string {
  const largest = Math.max(...Object.values(operation.inputs).map((input) => getBytesMax(operation, input)));
  return `${formatBytes(largest)} per file, ${duration(operation.limits.runSecondsMax)} per run`;
}

/** Formats a long time: `4 min`, `16 h`. */
function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
