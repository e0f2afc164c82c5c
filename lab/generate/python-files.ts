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
const RESPONSES = ['Job', 'JobSummary', 'Quote', 'Usage', 'Wallet'] as const;

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
  return {
    [`${FOLDER}/_operations.py`]: operationsModule(),
    [`${FOLDER}/_types.py`]: typesModule(document),
    [`${FOLDER}/_client.py`]: writeSyncModule(await readFile(join(root, FOLDER, '_async_client.py'), 'utf8')),
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
  [/\b(__)?a(enter__|exit__|close|read|iter_bytes)\b/g, '$1$2'],
  [/\bAsync(Client|Iterator)\b/g, '$1'],
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
    ([id, { path, authentication, fields, batchPath }]) =>
      `    "${id}": ${pythonValue({ path, authentication, fields, ...(batchPath && { batch_path: batchPath }) })},`,
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

function typesModule({ components, paths }: Document): string {
  const ids = Object.entries(operationEntries());
  const params = ids.map(([id, { path, fields }]): [string, Schema] => {
    const schema = paths[path]?.post?.requestBody.content['application/json'].schema;
    if (!schema) throw new Error(`${path} has no schema`);
    const own = withoutFields(schema, [...Object.values(fields), 'image_b64']);
    return [`${pascalCase(id)}Params`, own];
  });
  const responses = RESPONSES.map((name): [string, Schema] => [name, schemaOf(components, name)]);
  const classes = [...params, ...responses].flatMap(([name, schema]) => typedDict(name, schema));
  const names = params.map(([name]) => name);
  const known: readonly string[] = RESPONSES;
  const referred = referredSchemas([...params, ...responses]).filter((name) => !known.includes(name));
  const aliases = referred.flatMap((name) => declareSchema(name, schemaOf(components, name)));
  return `${notice('Types of requests and responses')}
from typing import Any, Dict, List, Literal, TypedDict, Union

#: The model_id of an operation.
ModelId = ${literal(ids.map(([id]) => id))}

${[...aliases, ...classes].join('\n\n\n')}


#: Params of an operation: the fields of its request without the input.
Params = Union[
${names.map((name) => `    ${name},`).join('\n')}
    Dict[str, Any],
]
`;
}

/** Returns the names of the schemas that others refer to. */
function referredSchemas(schemas: readonly (readonly [string, Schema])[]): string[] {
  const found = JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}

function schemaOf({ schemas }: Document['components'], name: string): Schema {
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
