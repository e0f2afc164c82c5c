import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '../../client.ts';
import { openFile } from '../../node.ts';
import { OPERATIONS } from '../../operations.ts';
import { UsageError } from '../exit-codes.ts';
import { isUrl } from '../output-paths.ts';
import type { Tool } from './sdk.ts';
import type { Arguments } from './serve-tools.ts';

/** Fields that name the input of an operation by URL. */
const INPUT_FIELDS: readonly string[] = Object.values(OPERATIONS).flatMap(({ fields }) =>
  Object.values(fields),
);

/** Uploads the files whose paths stand where a tool expects URLs, also in the params of a quote. */
export async function uploadLocalFiles(
  client: Client,
  args: Arguments,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<Arguments> {
  const sent = { ...args };
  for (const [name, value] of Object.entries(args)) {
    if (INPUT_FIELDS.includes(name) && typeof value === 'string' && !isUrl(value)) {
      sent[name] = await uploadFile(client, { name, path: resolve(cwd, value), signal });
    } else if (name === 'params' && typeof value === 'object' && value !== null) {
      sent[name] = await uploadLocalFiles(client, { ...value }, { cwd, signal });
    }
  }
  return sent;
}

interface LocalFile {
  /** Field that names it. */
  readonly name: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** @throws UsageError naming the field */
async function uploadFile(client: Client, { name, path, signal }: LocalFile): Promise<string> {
  await assertFile(name, path);
  return await client.upload(await openFile(path), signal);
}

/** Checks that a field names a file of this machine. @throws UsageError */
export async function assertFile(name: string, path: string): Promise<void> {
  const info = await stat(path).catch(() => null);
  if (!info?.isFile()) throw new UsageError(`${name}: is neither a URL nor a file: ${path}.`);
}

/** Returns a tool whose description says that its input may be a file of this machine. */
export function allowLocalFiles(tool: Tool): Tool {
  const { properties = {} } = tool.inputSchema;
  const fields = Object.entries(properties).map(([name, field]): [string, object] => {
    if (!INPUT_FIELDS.includes(name)) return [name, field];
    const { description = '' }: { description?: unknown } = Object(field);
    return [name, { type: 'string', description: `${description} Or the path of a file of this machine.` }];
  });
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(fields) } };
}
