import type { ReactNode } from 'react';
import { batchPath } from '../../models/core/operation/batch.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { getResultSchemaIds } from '../../models/core/operation/job-view.ts';
import { formatUsd } from '../../models/core/operation/money.ts';
import { getBytesMax } from '../../models/core/operation/request.ts';
import { openApiDocument } from '../../server/api/openapi-document.ts';
import type { Operations } from '../../server/base/context.ts';
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
  readonly oneOf?: readonly JsonSchema[];
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
  return Object.entries(paths).flatMap(([path, methods]) => {
    const operation = findByPath(operations, path);
    const { schemas: all } = components;
    const schemas = operation ? withResultsOf(all, operations, operation, path !== operation.path) : all;
    return Object.entries(methods).map(([method, described]) => ({
      path,
      operation,
      ...getEndpoint(method, described, schemas),
    }));
  });
}

/** Finds the operation that a path runs, one at a time or in batches. */
function findByPath(operations: Operations, path: string): Operation | undefined {
  return Object.values<Operation>(operations).find(
    (each) => each.path === path || (each.batch && batchPath(each) === path),
  );
}

/** Leaves out the schemas of results that no job of an operation, or of its batches, has. */
function withResultsOf(
  schemas: NamedSchemas,
  operations: Operations,
  operation: Operation,
  isBatch: boolean,
): NamedSchemas {
  const own = getResultSchemaIds(operation, isBatch);
  const results = Object.values<Operation>(operations).flatMap((each) => [
    ...getResultSchemaIds(each, false),
    ...getResultSchemaIds(each, true),
  ]);
  const isKept = (id: string) => own.includes(id) || !results.includes(id);
  return Object.fromEntries(Object.entries(schemas).filter(([id]) => isKept(id)));
}

function getEndpoint(
  method: string,
  described: Described,
  schemas: NamedSchemas,
): Omit<Endpoint, 'path' | 'operation'> {
  const { operationId, summary, description = '', security, requestBody, responses } = described;
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    id: operationId,
    method: method.toUpperCase(),
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
 * Lists the fields of an object, from the schema that checks it; of several alternatives those of all. Members of objects
 * follow under dotted names, and those of lists under `name[].member`.
 */
function schemaFields(
  schema: JsonSchema,
  schemas: NamedSchemas,
  direction: Direction,
  prefix = '',
): readonly ListedField[] {
  const alternatives = getAlternatives(schema, schemas);
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name) => {
    const given = alternatives.flatMap(({ properties }) => properties?.[name] ?? []);
    const found = given.flatMap((each) => getAlternatives(each, schemas));
    const [first] = given;
    const [property] = found;
    if (!first || !property) return [];
    const isRequired = alternatives.every(({ required = [] }) => required.includes(name));
    const note = direction === 'response' ? getType(first, property) : sentNote(property, isRequired);
    // Its table has a separate page.
    const values = isErrorCode(first) ? '' : [...new Set(found.map(getValues).filter(Boolean))].join(', ');
    const texts = given.map((each) => each.description ?? getAlternatives(each, schemas)[0]?.description);
    const members = { anyOf: found.map((each) => each.items ?? each) };
    return [
      {
        name: prefix + name,
        ...(note && { note }),
        text: [...new Set(texts)].join(' '),
        ...(values && { values }),
      },
      ...schemaFields(members, schemas, direction, `${prefix}${name}${property.items ? '[]' : ''}.`),
    ];
  });
}

/** Reports whether a field holds the code of an error. */
function isErrorCode({ $ref, anyOf = [] }: JsonSchema): boolean {
  return [{ $ref }, ...anyOf].some((each) => each.$ref?.endsWith('/ErrorCode'));
}

/** Lists what a value may be but null, with the schemas behind references; those that `schemas` lacks are left out. */
function getAlternatives(schema: JsonSchema, schemas: NamedSchemas): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf = anyOf } = schema;
  const named = $ref && schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  if ($ref) return named ? getAlternatives(named, schemas) : [];
  if (!oneOf) return schema.type === 'null' ? [] : [schema];
  return oneOf.flatMap((each) => getAlternatives(each, schemas));
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
function getValues({ enum: all, const: only, type, minimum, maximum }: JsonSchema): string {
  if (only !== undefined) return String(only);
  if (all) return all.join(', ');
  if (type === 'boolean') return 'true or false';
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${minimum} to ${maximum}` : '';
}

/** Returns the prices of an operation: `$0.01 per image, $0.05 per started second of video`. */
export function getPrice({ id, rates }: Operation): string {
  if (id === 'pipeline') return 'the price of each step';
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
