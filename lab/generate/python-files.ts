import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { ERRORS } from '../../models/core/operation/error-table.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { openApiDocument } from '../../server/api/openapi-document.ts';
import { operationEntries } from './operation-entries.ts';
import { literal, pascalCase, pythonValue, typedDict } from './python-types.ts';

const FOLDER = 'clients/python/darkroom';
/** Schemas of responses whose types the client names. */
const RESPONSES = [
  'JobSummary',
  'Quote',
  'BatchQuote',
  'Token',
  'Usage',
  'Wallet',
  'WorkerList',
  'UploadList',
] as const;
/** Options of the methods that send requests, and their results for an operation's name, by their own names. */
const METHODS: Readonly<Record<string, { options: string; getResult: (operation: string) => string }>> = {
  run: { options: 'RunOptions', getResult: () => 'CompletedJob' },
  run_batch: { options: 'RunOptions', getResult: (operation) => `_types.${operation}Batch` },
  submit: { options: 'SubmitOptions', getResult: () => 'str' },
  submit_batch: { options: 'SubmitOptions', getResult: () => 'str' },
  quote: { options: 'QuoteOptions', getResult: () => 'Quote' },
  quote_batch: { options: 'QuoteOptions', getResult: () => 'BatchQuote' },
};

type Schema = z.core.JSONSchema.JSONSchema;

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: { requestBody: { content: { 'application/json': { schema: Schema } } } } }
    >
  >;
}

/** Returns the generated files of the Python client by their path. @param root folder of the project */
export async function pythonFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const document = openApiDocument('https://example.com', OPERATIONS) as Document;
  const operations = describeOperations(document);
  const client = writeOverloads(await readFile(join(root, FOLDER, '_async_client.py'), 'utf8'), operations);
  return {
    [`${FOLDER}/_operations.py`]: operationsModule(),
    [`${FOLDER}/_types.py`]: typesModule(document, operations),
    [`${FOLDER}/_async_client.py`]: client,
    [`${FOLDER}/_client.py`]: writeSyncModule(client),
  };
}

/** Words of the async client, and those of the sync one. */
const SYNC_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^"""The async client\."""/,
    '"""The sync client. Written by `npm run generate` from _async_client.py. Do not edit."""',
  ],
  [/\b(async|await) /g, ''],
  [/\basyncio\b/g, 'time'],
  [/\b(__)?a(enter__|exit__|close|read|iter_bytes|iter_lines)\b/g, '$1$2'],
  [/\bAsync(Client|Iterator|Pipelines)\b/g, '$1'],
];

/** Returns the sync module that does what an async one does, word by word. */
function writeSyncModule(source: string): string {
  return SYNC_WORDS.reduce((text, [word, replacement]) => text.replace(word, replacement), source);
}

function notice(subject: string): string {
  return `"""${subject}. Written by \`npm run generate\` from the OpenAPI document. Do not edit."""\n\nfrom __future__ import annotations\n`;
}

function operationsModule(): string {
  const operations = Object.entries(operationEntries()).map(
    ([id, { batchPath, isDirect, ...entry }]) =>
      `    "${id}": ${pythonValue({ ...entry, ...(batchPath && { batch_path: batchPath }), ...(isDirect && { is_direct: true }) })},`,
  );
  const temporary = Object.entries(ERRORS).filter(([, { isTemporary }]) => isTemporary);
  return `${notice('What the client knows of each operation')}
from typing import Any, Dict, FrozenSet

OPERATIONS: Dict[str, Any] = {
${operations.join('\n')}
}

#: Codes of errors after which the same request may succeed.
TEMPORARY_CODES: FrozenSet[str] = frozenset(
    [
${temporary.map(([code]) => `        "${code}",`).join('\n')}
    ]
)
`;
}

interface OperationTypes {
  readonly id: string;
  /** Name of the type of its params, and their schema. */
  readonly params: readonly [name: string, schema: Schema];
  /** The same of the params that the items of a batch share; absent without batches. */
  readonly shared?: readonly [name: string, schema: Schema];
}

/** Returns the types of the params of each operation: the fields of its request without the input. */
function describeOperations({ paths }: Document): OperationTypes[] {
  const schemaOf = (path: string, left: readonly string[]): Schema => {
    const schema = paths[path]?.post?.requestBody.content['application/json'].schema;
    if (!schema) throw new Error(`${path} has no schema`);
    return withoutFields(schema, left);
  };
  return Object.entries(operationEntries()).map(([id, { path, batchPath, fields }]) => ({
    id,
    params: [`${pascalCase(id)}Params`, schemaOf(path, [...Object.values(fields), 'image_b64'])],
    ...(batchPath && { shared: [`${pascalCase(id)}BatchParams`, schemaOf(batchPath, ['items'])] }),
  }));
}

/** Writes the overloads of a client's methods, one for each operation, between their marks. */
function writeOverloads(client: string, operations: readonly OperationTypes[]): string {
  return Object.entries(METHODS).reduce((text, [method, { options, getResult }]) => {
    const [head, end] = [`    # Overloads of ${method}: written by `, '    # End of the overloads.'];
    const from = text.indexOf('\n', text.indexOf(head)) + 1;
    const to = text.indexOf(end, from);
    if (!text.includes(head) || to < 0)
      throw new Error(`the client has no place for the overloads of ${method}`);
    const lines = operations.flatMap((operation) =>
      writeOverload(method, `Unpack[_calls.${options}]`, getResult(pascalCase(operation.id)), operation),
    );
    return text.slice(0, from) + lines.map((line) => `    ${line}\n`).join('') + text.slice(to);
  }, client);
}

function writeOverload(
  method: string,
  options: string,
  result: string,
  { id, params, shared }: OperationTypes,
): string[] {
  const isBatch = method.endsWith('_batch');
  const own = isBatch ? shared : params;
  if (!own) return [];
  const input = isBatch
    ? `items: Sequence[Union[Source, Tuple[Source, _types.${params[0]}]]]`
    : 'source: Source';
  const [name, { required = [] }] = own;
  const fields = required.length > 0 ? `_types.${name}` : `Optional[_types.${name}] = None`;
  const all = [`model_id: Literal["${id}"]`, input, `${isBatch ? 'shared' : 'params'}: ${fields}`];
  return [
    '@overload',
    `async def ${method}(self, ${all.join(', ')}, **options: ${options}) -> ${result}: ...`,
  ];
}

function typesModule({ components }: Document, operations: readonly OperationTypes[]): string {
  const params = operations.flatMap(({ params: own, shared }) => (shared ? [own, shared] : [own]));
  const job = getSchema(components, 'Job');
  const responses = RESPONSES.map((name) => [name, getSchema(components, name)] as const);
  const classes = [...params, ...responses].flatMap(([name, schema]) => typedDict(name, schema));
  const known: readonly string[] = ['Job', 'SpendingEvent', ...RESPONSES];
  const referred = referredSchemas([...params, ...responses, ['Job', job]]);
  const aliases = referred
    .filter((name) => !known.includes(name))
    .flatMap((name) => declareSchema(name, getSchema(components, name)));
  return `${notice('Types of requests and responses')}
from typing import Any, Dict, List, Literal, TypedDict, Union, final

#: The model_id of an operation.
ModelId = ${literal(operations.map(({ id }) => id))}

${[...aliases, ...classes, ...webhookClasses(job, getSchema(components, 'SpendingEvent')), ...batchClasses(operations)].join('\n\n\n')}


#: Params of an operation: the fields of its request without the input.
Params = Union[
${operations.map(({ params: [name] }) => `    ${name},`).join('\n')}
]
`;
}

/** Declares the types of webhooks: an event is a job, whose status tells whether it has an output, or about spending. */
function webhookClasses({ properties = {}, required = [] }: Schema, spending: Schema): string[] {
  const { status, output, ...others } = properties as Record<string, Schema>;
  const [result] = output?.anyOf ?? [];
  const members = { properties: others, required: required.filter((name) => name in others) };
  const states = (status?.enum ?? []).filter((state) => state !== 'COMPLETED');
  return [
    ...typedDict('JobOutput', Object(result)),
    ...typedDict('JobMembers', members),
    `@final\nclass CompletedJob(JobMembers):\n    status: Literal["COMPLETED"]\n    output: JobOutput`,
    `@final\nclass OtherJob(JobMembers):\n    status: ${literal(states)}\n    output: Union[JobOutput, None]`,
    '#: State of a job: ``status`` tells which.\nJob = Union[CompletedJob, OtherJob]',
    ...typedDict('SpendingEvent', spending).map((declared) => `@final\n${declared}`),
    '#: Body of a webhook. ``"type" in event`` tells a SpendingEvent from a job.\nWebhookEvent = Union[CompletedJob, OtherJob, SpendingEvent]',
  ];
}

/** Declares the completed jobs of the batches of each operation, with the types of their items. */
function batchClasses(operations: readonly OperationTypes[]): string[] {
  return operations
    .filter(({ shared }) => shared)
    .flatMap(({ id }) => {
      const name = pascalCase(id);
      return [
        `class ${name}BatchOutput(TypedDict):\n    media_url: List[str]\n    media_type: str\n    files: List[ResultFile]\n    items: List[Union[${name}Item, FailedItem]]`,
        `@final\nclass ${name}Batch(JobMembers):\n    status: Literal["COMPLETED"]\n    output: ${name}BatchOutput`,
      ];
    });
}

/** Returns the names of the schemas that others refer to. */
function referredSchemas(schemas: readonly (readonly [string, Schema])[]): string[] {
  const found = JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}

function getSchema({ schemas }: Document['components'], name: string): Schema {
  const schema = schemas[name];
  if (!schema) throw new Error(`there is no schema ${name}`);
  return schema;
}

function declareSchema(name: string, schema: Schema): string[] {
  if (schema.enum) return [`${name} = ${literal(schema.enum)}`];
  return schema.properties ? typedDict(name, schema) : [`${name} = Any`];
}

function withoutFields({ properties = {}, required = [] }: Schema, left: readonly string[]): Schema {
  const kept = Object.entries(properties).filter(([name]) => !left.includes(name));
  return { properties: Object.fromEntries(kept), required: required.filter((name) => !left.includes(name)) };
}
