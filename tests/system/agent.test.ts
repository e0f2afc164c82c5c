// @module-tag long

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import { type Account, type Service, startService } from '../../lab/support/service.ts';
import { drawRedBall } from '../support/service/api.ts';

const SPEECH = join(import.meta.dirname, '../fixtures/audio/mono-8k.wav');

let service: Service;
let account: Account;
let files: FileServer;
beforeAll(async () => {
  files = await serveFiles({ '/photo.png': await drawRedBall(), '/speech.wav': await readFile(SPEECH) });
  service = await startService({ MODELS_OFFLINE: '1' });
  account = await service.account('agent@example.com', '5');
});
afterAll(() => Promise.all([service?.stop(), files?.close()]));

it('an agent quotes and runs every tool in one session, with real models, within its limit', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { authorization: `Bearer ${account.api_key}`, 'x-spending-limit-usd': '0.3' };
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args }, CallToolResultSchema, {
      timeout: 240_000,
    });
    return CallToolResultSchema.parse(result);
  };
  const image_url = `${files.url}/photo.png`;
  const audio_url = `${files.url}/speech.wav`;
  const calls: Readonly<Record<string, Record<string, unknown>>> = {
    convert: { image_url, to_format: 'avif' },
    'remove-bg': { image_url },
    upscale: { image_url },
    stems: { audio_url },
    diarize: { audio_url },
    extend: { image_url, expand_left: 16 },
    moderate: { image_url, categories: ['Sexual'] },
  };
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(calls), 'run_pipeline', 'get', 'quote', 'upload', 'jobs', 'cancel', 'wallet'].toSorted(),
  );
  let spent = 0;
  for (const [operation, params] of Object.entries(calls)) {
    const { structuredContent: price } = await call('quote', { operation, params });
    const { structuredContent: job, isError } = await call(operation, params);
    expect([operation, isError ?? false, job?.status]).toEqual([operation, false, 'COMPLETED']);
    expect(job).toMatchObject({ billing: { charged_usd: price?.price_usd } });
    spent += Number(price?.price_usd);
    const { structuredContent: again } = await call('get', { request_id: job?.request_id });
    expect(again).toEqual(job);
  }
  expect(spent).toBeLessThan(0.2);
  const costly = { image_url, num_images: 2, expand_left: 16 };
  expect(await call('extend', costly)).toMatchObject({
    isError: true,
    structuredContent: { code: 'insufficient_balance' },
  });
  await client.close();
});
