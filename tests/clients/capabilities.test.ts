import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OTHER_COMMANDS } from '../../clients/typescript/src/cli/other-commands.ts';
import * as typescript from '../../clients/typescript/src/index.ts';
import { getCommand, type Operation } from '../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { listTools } from '../../server/api/mcp/list-tools.ts';
import { readEnv } from '../../server/base/env.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

/** Reads the names in the columns of the table of what each way to use the service can do. */
async function readColumns() {
  const lines = (await read('docs/clients.md')).split('\n').filter((line) => line.startsWith('| '));
  const rows = lines.map((line) => line.split('|').slice(1, -1));
  return [1, 2, 3, 4].map((at) =>
    rows.flatMap((row) => [...(row[at] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
  );
}

/** Expects that a column has every name that is to be there, and no unknown one. */
function expectNames(column: readonly string[], names: readonly string[], others: readonly string[]): void {
  expect(names.filter((name) => !column.includes(name))).toEqual([]);
  expect(column.filter((name) => !names.includes(name) && !others.includes(name))).toEqual([]);
}

const commands = Object.values<Operation>(OPERATIONS).map((operation) => getCommand(operation).name);

it('the table of clients names every method of TypeScript, and no other', async () => {
  const [column = []] = await readColumns();
  const { pipelines, ...methods } = typescript.createClient({ origin: 'http://127.0.0.1', apiKey: null });
  const names = [...Object.keys(methods), ...Object.keys(pipelines).map((name) => `pipelines.${name}`)];
  expectNames(column, names, ['verifyWebhook', 'verifyReceipt', 'signal', 'cache: false']);
  expect(typescript).toMatchObject({
    verifyWebhook: expect.any(Function),
    verifyReceipt: expect.any(Function),
  });
});

it('the table of clients names every method of Python, and no other', async () => {
  const [, column = []] = await readColumns();
  const [, body = ''] = (await read('clients/python/darkroom/_async_client.py')).split('class AsyncClient');
  const methods = [...body.matchAll(/^ {4}async def ([a-z]\w*)\(/gm)].map(([, name = '']) => name);
  const names = [...new Set(methods)].filter((name) => name !== 'aclose');
  expectNames(column, names, ['verify_webhook', 'verify_receipt', 'cache=False', 'timeout', 'pipelines.run']);
});

it('the table of clients names every command but those that set it up, and no other', async () => {
  const [, , column = []] = await readColumns();
  const own = ['login', 'logout', 'completion', 'mcp', 'engines', 'models'];
  const names = Object.keys(OTHER_COMMANDS).filter((name) => !own.includes(name));
  expectNames(column, names, [...commands, '--quote', '--no-cache', 'run']);
});

it('the table of clients names every tool of agents, and no other', async () => {
  const [, , , column = []] = await readColumns();
  const tools = listTools({ env: readEnv({}) }).map(({ name }) => name);
  const names = tools.filter((name) => !commands.includes(name));
  expectNames(column, names, [...commands, 'no_cache']);
});
