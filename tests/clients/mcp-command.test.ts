import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const COMMAND = [
  '--import',
  'tsx',
  join(import.meta.dirname, '../../clients/typescript/src/cli/bin.ts'),
  'mcp',
];

let service: LoopbackService;
let folder: string;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
  folder = await mkdtemp(join(tmpdir(), 'darkroom-mcp-'));
  await writeFile(join(folder, 'ball.png'), await drawRedBall());
});
afterAll(() => Promise.all([service.stop(), rm(folder, { recursive: true, force: true })]));

const environment = (key = service.api.apiKey) => ({
  PATH: process.env.PATH ?? '',
  XDG_CONFIG_HOME: folder,
  DARKROOM_URL: service.url,
  DARKROOM_KEY: key,
});

async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...COMMAND, ...args],
    // tsx is found from the project: the files lie in another folder.
    cwd: process.cwd(),
    env: environment(),
    stderr: 'pipe',
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>, onprogress?: () => void) {
  const options = { timeout: 120_000, ...(onprogress && { onprogress }) };
  const result = await client.callTool({ name, arguments: args }, CallToolResultSchema, options);
  const { structuredContent, content, isError } = CallToolResultSchema.parse(result);
  const [first] = content;
  return { value: structuredContent, text: first?.type === 'text' ? first.text : '', isError };
}

describe('darkroom mcp', () => {
  it('serves the tools of the service, on files too, within the limit of its session', async () => {
    const client = await connect('--max-usd', '0.003');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(9);
    const convert = tools.find(({ name }) => name === 'convert');
    expect(convert?.inputSchema.properties?.image_url).toEqual({
      type: 'string',
      description: expect.stringContaining('path of a file'),
    });
    const file = join(folder, 'ball.png');
    const quoted = await call(client, 'quote', {
      operation: 'convert',
      params: { image_url: file, to_format: 'gif' },
    });
    expect(quoted.value).toEqual({ price_usd: '0.002' });
    let reports = 0;
    const done = await call(client, 'convert', { image_url: file, to_format: 'webp' }, () => {
      reports += 1;
    });
    expect(done.value).toMatchObject({ status: 'COMPLETED', output: { media_type: 'image/webp' } });
    expect(reports).toBeGreaterThan(0);
    const again = await call(client, 'get', { request_id: done.value?.request_id });
    expect(again.value).toEqual(done.value);
    const refused = await call(client, 'convert', { image_url: file, to_format: 'webp' });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('spending limit')]);
    const missing = await call(client, 'convert', { image_url: join(folder, 'no.png'), to_format: 'webp' });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringMatching(/^image_url: /)]);
    await client.close();
  });

  it.for([
    [[], { DARKROOM_KEY: 'mk_wrong' }, 3, 'API key'],
    [[], { DARKROOM_KEY: '' }, 3, 'darkroom login'],
    [[], { DARKROOM_URL: 'http://127.0.0.1:9' }, 5, 'cannot be reached'],
    [['--max-usd', 'much'], {}, 2, '--max-usd'],
    [['--limit'], {}, 2, 'Usage: darkroom mcp'],
  ] as const)('%o with %o ends with %i', async ([args, env, code, message]) => {
    const running = promisify(execFile)(process.execPath, [...COMMAND, ...args], {
      env: { ...environment(), ...env },
    });
    running.child.stdin?.end();
    await expect(running).rejects.toMatchObject({
      code,
      stderr: expect.stringContaining(message),
      stdout: '',
    });
  });
});
