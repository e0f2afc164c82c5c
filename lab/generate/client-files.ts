import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import client from '../../clients/typescript/package.json' with { type: 'json' };
import { getCommand, type Operation } from '../../models/core/operation/define-operation.ts';
import { ERRORS } from '../../models/core/operation/error-table.ts';
import { OPERATIONS } from '../../models/registry.ts';
import manifest from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../../server/api/openapi-document.ts';
import { operationEntries } from './operation-entries.ts';

const FOLDER = 'clients/typescript/src';
const NOTICE = '// Written by `npm run generate` from the OpenAPI document. Do not edit.\n';
const COMMANDS_NOTICE = `// Written by \`npm run generate\` from the operations. Do not edit.
import type { OperationId } from '../types.ts';
import type { Command } from './command.ts';

`;

/** Returns the generated files of the TypeScript client by their path. @param root folder of the project */
export async function clientFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const path = `${FOLDER}/openapi.ts`;
  return {
    [path]: await openApiTypes(await readIfPresent(join(root, path))),
    [`${FOLDER}/error-table.ts`]: NOTICE.replace('OpenAPI document', 'table of errors') + errorTable(),
    [`${FOLDER}/operations.ts`]: `${NOTICE}/** Version of this package. */\nexport const VERSION = '${client.version}';\n\n${operationTable()}`,
    [`${FOLDER}/cli/operation-commands.ts`]: COMMANDS_NOTICE + commandTable(),
  };
}

/**
 * Writes the types of the OpenAPI document. Their head has a hash of what they follow from: the generator loads a whole
 * compiler, so it runs only when that has changed.
 * @param current types as they were written last
 */
async function openApiTypes(current: string): Promise<string> {
  const document = JSON.stringify(openApiDocument('https://example.com', OPERATIONS));
  const version = manifest.devDependencies['openapi-typescript'];
  const hash = createHash('sha256').update(version).update(document).digest('hex');
  const head = `${NOTICE}// SHA-256 of the generator's version and the document: ${hash}\n`;
  if (current.startsWith(head)) return current;
  const { default: writeTypes, astToString } = await import('openapi-typescript');
  return head + astToString(await writeTypes(document));
}

/** Writes the table of errors. Descriptions are comments: they cost no bytes where pages bundle the client. */
function errorTable(): string {
  const lines = Object.entries(ERRORS).map(
    ([code, { description, ...entry }]) => `  /** ${description} */\n  ${code}: ${JSON.stringify(entry)},`,
  );
  return `export const ERRORS = {\n${lines.join('\n')}\n} as const;\n`;
}

/** Writes what a client must know of each operation to call it. */
function operationTable(): string {
  const lines = Object.entries(operationEntries()).map(
    ([id, entry]) => `  '${id}': ${JSON.stringify(entry)},`,
  );
  return `export const OPERATIONS = {\n${lines.join('\n')}\n} as const;\n`;
}

/** Writes the command of each operation, with its params as flags. */
function commandTable(): string {
  const lines = Object.values(OPERATIONS).map((operation: Operation) => {
    const { id, summary, params: schema } = operation;
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
    const flags = Object.entries(properties).map(([name, property]) => {
      if (typeof property !== 'object') throw new Error(`${id}: ${name} has no schema`);
      return [name, getFlag(property, required.includes(name))] as const;
    });
    const command = { ...getCommand(operation), summary, params: Object.fromEntries(flags) };
    return `  '${id}': ${JSON.stringify(command)},`;
  });
  return `export const COMMANDS: Readonly<Record<OperationId, Command>> = {\n${lines.join('\n')}\n};\n`;
}

function getFlag(schema: z.core.JSONSchema.JSONSchema, isRequired: boolean): object {
  const { type, items, description = '', default: initial, minimum: min, maximum: max, pattern } = schema;
  const list = type === 'array' && typeof items === 'object' && !Array.isArray(items) ? items : undefined;
  const kinds = {
    array: 'list',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    object: 'json',
  } as const;
  const choices = (list ?? schema).enum;
  const isNumber = type === 'integer' || type === 'number';
  return {
    kind: (type && kinds[type as keyof typeof kinds]) ?? 'text',
    ...(choices && { choices: choices.map(String) }),
    ...(isRequired && { isRequired }),
    ...(isNumber && !choices && min !== undefined && min > Number.MIN_SAFE_INTEGER && { min }),
    ...(isNumber && !choices && max !== undefined && max < Number.MAX_SAFE_INTEGER && { max }),
    ...(type === 'integer' && !choices && { isWhole: true }),
    ...(pattern !== undefined && { pattern }),
    ...(initial !== undefined && initial !== '' && { initial: String(initial) }),
    description,
  };
}

/** Reads a file. @returns an empty text when the file is missing */
export async function readIfPresent(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
