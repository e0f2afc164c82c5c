import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { z } from 'zod';
import { batchPath } from '../models/operation/batch.ts';
import type { Operation } from '../models/operation/define-operation.ts';
import { OPERATIONS } from '../models/registry.ts';
import { openApiDocument } from '../server/http/openapi/openapi-document.ts';
import { isDirectOnly } from '../server/http/submit/respond-with-outcome.ts';

const FOLDER = join(import.meta.dirname, '../clients/typescript/src');
const NOTICE = '// Written by `npm run client-types` from the OpenAPI document. Do not edit.\n';
const FLAGS_NOTICE = `// Written by \`npm run client-types\` from the operations. Do not edit.
import type { OperationId } from '../types.ts';
import type { OperationFlags } from './param-flag.ts';

`;

/** Returns the generated files of the TypeScript client by their path. */
export async function generateClientFiles(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument('https://example.com', OPERATIONS);
  const types = astToString(await openapiTypes(JSON.stringify(document)));
  return new Map([
    [join(FOLDER, 'openapi.ts'), NOTICE + types],
    [join(FOLDER, 'operations.ts'), NOTICE + operationTable()],
    [join(FOLDER, 'cli/operation-flags.ts'), FLAGS_NOTICE + flagTable()],
  ]);
}

/** Writes what a client must know of each operation to call it. */
function operationTable(): string {
  const lines = Object.values(OPERATIONS).map((operation: Operation) => {
    const { id, path, authentication, inputs } = operation;
    const byUrl = Object.entries(inputs).filter(([, { encoding }]) => encoding === 'url');
    const fields = byUrl.flatMap(([field, { media }]) => media.map((kind) => [kind, field]));
    if (fields.length === 0) throw new Error(`${id} has no input by URL`);
    const entry = {
      ...{ path, authentication, fields: Object.fromEntries(fields) },
      ...(operation.batch && { batchPath: batchPath(operation) }),
      // A client that leaves ends the job: no other request tells its state.
      ...(isDirectOnly(operation) && { isDirect: true }),
    };
    return `  '${id}': ${JSON.stringify(entry)},`;
  });
  return `export const OPERATIONS = {\n${lines.join('\n')}\n} as const;\n`;
}

/** Writes the params of each operation as the command's flags need them. */
function flagTable(): string {
  const lines = Object.values(OPERATIONS).map(({ id, title, summary, params }: Operation) => {
    const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' });
    const flags = Object.entries(properties).map(([name, property]) => {
      if (typeof property !== 'object') throw new Error(`${id}: ${name} has no schema`);
      return [name, flagOf(property, required.includes(name))] as const;
    });
    return `  '${id}': ${JSON.stringify({ title, summary, params: Object.fromEntries(flags) })},`;
  });
  return `export const OPERATION_FLAGS: Readonly<Record<OperationId, OperationFlags>> = {\n${lines.join('\n')}\n};\n`;
}

function flagOf(schema: z.core.JSONSchema.JSONSchema, isRequired: boolean): object {
  const { type, items, description = '', default: initial } = schema;
  const list = type === 'array' && typeof items === 'object' && !Array.isArray(items) ? items : undefined;
  const kinds = { array: 'list', integer: 'number', number: 'number', boolean: 'boolean' } as const;
  const choices = (list ?? schema).enum;
  return {
    kind: (type && kinds[type as keyof typeof kinds]) ?? 'text',
    ...(choices && { choices: choices.map(String) }),
    ...(isRequired && { isRequired }),
    ...(initial !== undefined && initial !== '' && { initial: String(initial) }),
    description,
  };
}

if (import.meta.filename === process.argv[1]) {
  for (const [path, text] of await generateClientFiles()) await writeFile(path, text);
}
