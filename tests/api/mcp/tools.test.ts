import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { drawRedBall } from '../../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../../support/service/loopback-service.ts';

let service: LoopbackService;
let broken: FileServer;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
  const whole = await drawRedBall();
  broken = await serveFiles({ '/truncated.png': whole.subarray(0, whole.length / 2) });
});
afterAll(() => Promise.all([service.stop(), broken.close()]));

/** Connects an agent. @param headers besides the key */
async function connect(headers: Record<string, string> = {}, apiKey = service.api.apiKey, url = service.url) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${apiKey}`, ...headers } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  // The types of the transport allow what the exact ones of the client do not.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>, onprogress?: () => void) {
  const options = { timeout: 120_000, ...(onprogress && { onprogress }) };
  const result = await client.callTool({ name, arguments: args }, CallToolResultSchema, options);
  const { structuredContent, content, isError } = CallToolResultSchema.parse(result);
  const [first] = content;
  return { value: structuredContent, text: first?.type === 'text' ? first.text : '', isError };
}

/** Posts a message without the client. */
function post(headers: Record<string, string>, message: object): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  return fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

const CLIENT_INFO = { capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
const subject = () => `${service.api.files.url}/subject.png`;

describe('an agent', () => {
  it('sees all operations and the further tools, with the fields of each and its price', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [
        'convert',
        'remove-bg',
        'run_pipeline',
        'upscale',
        'stems',
        'diarize',
        'extend',
        'moderate',
        'get',
        'quote',
        'upload',
        'jobs',
        'cancel',
        'wallet',
      ].toSorted(),
    );
    const convert = tools.find(({ name }) => name === 'convert');
    expect(convert?.inputSchema.required?.toSorted()).toEqual(['image_url', 'to_format']);
    expect(convert?.inputSchema.properties).toMatchObject({
      to_format: { enum: expect.arrayContaining(['avif', 'webp']) },
      quality: { minimum: 1, maximum: 100, default: 92 },
    });
    expect(convert?.description).toContain('0.002 USD');
    const extend = tools.find(({ name }) => name === 'extend');
    expect(Object.keys(extend?.inputSchema.properties ?? {})).not.toContain('sync_mode');
    const moderate = tools.find(({ name }) => name === 'moderate');
    expect(Object.keys(moderate?.inputSchema.properties ?? {})).not.toContain('image_b64');
    expect(moderate?.inputSchema.required).toContain('image_url');
    await client.close();
  });

  it('converts, and gets the ended job, its progress and the job again', async () => {
    const client = await connect();
    let reports = 0;
    const args = { image_url: subject(), to_format: 'webp', reference: 'order-1' };
    const { value, isError } = await call(client, 'convert', args, () => {
      reports += 1;
    });
    expect(isError).toBeFalsy();
    expect(value).toMatchObject({
      status: 'COMPLETED',
      model_id: 'media-convert-image',
      reference: 'order-1',
    });
    expect(reports).toBeGreaterThan(0);
    const again = await call(client, 'get', { request_id: value?.request_id });
    expect(again.value).toEqual(value);
    expect(value).not.toHaveProperty('receipt');
    expect(Object.values(value ?? {})).not.toContain(null);
    const whole = await call(client, 'get', { request_id: value?.request_id, receipt: true });
    expect(whole.value).toEqual({ ...value, receipt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
    await client.close();
  });

  it('uploads, runs again without the cache, and reads jobs and the balance', async () => {
    const client = await connect();
    const { value: uploaded } = await call(client, 'upload', {
      file_b64: (await drawRedBall()).toString('base64'),
    });
    expect(uploaded?.upload_url).toMatch(/^http/);
    expect((await call(client, 'upload', { bytes: 5_000_000 })).value).toHaveProperty('parts_url');
    const args = { image_url: subject(), reference: 'order-2' };
    const { value: first } = await call(client, 'remove-bg', args);
    const { value: hit } = await call(client, 'remove-bg', args);
    const { value: renewed } = await call(client, 'remove-bg', { ...args, no_cache: true });
    expect([first?.cached, hit?.cached, renewed?.cached]).toEqual([false, true, false]);
    const { value: page } = await call(client, 'jobs', { reference: 'order-2', limit: 1 });
    expect(page).toMatchObject({ requests: [{ request_id: renewed?.request_id, status: 'COMPLETED' }] });
    expect((await call(client, 'jobs', { limit: 0 })).value?.field).toBe('limit');
    expect((await call(client, 'wallet', {})).value).toHaveProperty('available_usd');
    await client.close();
  });

  it('moderates, though the API responds to that at once, and gets the verdict in the job', {
    tags: ['long'],
  }, async () => {
    const client = await connect();
    const { value } = await call(client, 'moderate', { image_url: subject(), categories: ['Sexual'] });
    expect(value).toMatchObject({
      status: 'COMPLETED',
      output: { result: { severity_threshold: 2, categories: [{ category: 'Sexual' }] } },
    });
    await client.close();
  });

  it('calls tools by their earlier names, which no list shows', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('image-convert');
    const { value } = await call(client, 'image-convert', { image_url: subject(), to_format: 'webp' });
    expect(value).toMatchObject({ status: 'COMPLETED', model_id: 'media-convert-image' });
    const params = { image_url: subject(), to_format: 'webp' };
    const quoted = await call(client, 'quote', { operation: 'image-convert', params });
    expect(quoted.value).toEqual({ price_usd: '0.002' });
    const unknown = await call(client, 'quote', { operation: 'invert', params });
    expect(unknown).toMatchObject({ isError: true, value: { field: 'operation' } });
    await client.close();
  });

  it('asks for a price, and nothing runs', async () => {
    const client = await connect();
    const before = await service.api.ctx.db.$count(schema.jobs);
    const params = { image_url: subject() };
    expect((await call(client, 'quote', { operation: 'remove-bg', params })).value).toEqual({
      price_usd: '0.01',
    });
    expect(await service.api.ctx.db.$count(schema.jobs)).toBe(before);
    await client.close();
  });
});

describe('an agent reads what is wrong', () => {
  it.for([
    ['convert', { image_url: 'x', to_format: 'webp' }, /^image_url: /],
    ['convert', { image_url: 'https://example.com/a.png', to_format: 'psd' }, /^to_format: /],
    [
      'convert',
      { image_url: 'https://example.com/a.png', to_format: 'png', size: 3 },
      /^size: unknown field/,
    ],
    ['convert', { image_url: 'http://169.254.169.254/', to_format: 'png' }, /^image_url: /],
    ['remove-bg', {}, /^image_url, /],
    ['quote', { operation: 'paint', params: {} }, /^operation: /],
    ['quote', { operation: 'convert', params: { to_format: 'png' } }, /^image_url, image_b64: /],
    ['get', {}, /^request_id: /],
    ['get', { request_id: '..' }, /^request_id: /],
    ['cancel', { request_id: '../uploads/a' }, /^request_id: /],
    ['upload', {}, /^file_b64: /],
    ['convert', { image_url: 'https://example.com/a.png', to_format: 'png', no_cache: 'yes' }, /^no_cache: /],
  ] as const)('in %s of %o', async ([tool, args, message]) => {
    const client = await connect();
    const { isError, text, value } = await call(client, tool, { ...args });
    expect(text).toMatch(message);
    expect(isError).toBe(true);
    expect(message.source).toContain(String(value?.field).split(',')[0] ?? '-');
    await client.close();
  });

  it('of a job that failed, with the job', async () => {
    const client = await connect();
    const args = { image_url: `${broken.url}/truncated.png`, to_format: 'webp' };
    const { isError, text, value } = await call(client, 'convert', args);
    expect(isError).toBe(true);
    expect(text).not.toBe('');
    expect(value).toMatchObject({ code: expect.any(String) });
    await client.close();
  });

  it('of another account’s job and an unknown tool', async () => {
    const client = await connect();
    const { isError, value } = await call(client, 'get', { request_id: 'upscale_x' });
    expect([isError, value?.code]).toEqual([true, 'not_found']);
    await expect(call(client, 'paint', {})).rejects.toThrow('paint: there is no such tool');
    await client.close();
  });
});

describe('a call that ends early', () => {
  let idle: LoopbackService;
  beforeAll(async () => {
    idle = await startLoopbackService('', { isSignedIn: false, hasRunner: false });
  });
  afterAll(() => idle.stop());

  const wallet = async () => {
    const headers = { authorization: `Bearer ${idle.api.apiKey}` };
    return (await fetch(`${idle.url}/api/v2/wallet`, { headers })).json();
  };
  const running = async () => {
    const rows = await idle.api.ctx.db.select().from(schema.jobs);
    return rows.filter(({ status }) => status === 'QUEUED').length;
  };

  it.for(['a cancellation', 'a lost connection'])(
    'by %s cancels its job, which costs nothing',
    async (how) => {
      const client = await connect({}, idle.api.apiKey, idle.url);
      const stop = new AbortController();
      const args = { image_url: `${idle.api.files.url}/subject.png`, to_format: 'webp' };
      const options = { signal: stop.signal };
      const calling = client.callTool({ name: 'convert', arguments: args }, CallToolResultSchema, options);
      const ended = expect(calling).rejects.toThrow();
      await expect.poll(running, { timeout: 20_000 }).toBe(1);
      if (how === 'a cancellation') stop.abort();
      else await client.close();
      await ended;
      await expect.poll(running, { timeout: 20_000 }).toBe(0);
      expect(await wallet()).toMatchObject({ held_usd: '0.00' });
      await client.close();
    },
  );

  it('by the tool "cancel" tells its end', async () => {
    const client = await connect({}, idle.api.apiKey, idle.url);
    const image_url = `${idle.api.files.url}/subject.png`;
    const calling = call(client, 'convert', { image_url, to_format: 'gif' });
    await expect.poll(running, { timeout: 20_000 }).toBe(1);
    const { value: page } = await call(client, 'jobs', { status: 'QUEUED' });
    const { requests } = page as { requests: { request_id: string }[] };
    const args = { request_id: requests[0]?.request_id };
    expect((await call(client, 'cancel', args)).value?.code).toBe('canceled');
    expect((await calling).value?.code).toBe('canceled');
    expect((await call(client, 'cancel', args)).value?.code).toBe('conflict');
    await client.close();
  });
});

describe('a request without', () => {
  it('a key, or with a wrong one, gets 401 that says how to send it', async () => {
    for (const headers of [{}, { authorization: 'Bearer mk_wrong' }]) {
      const response = await post(headers as Record<string, string>, { method: 'tools/list' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('a body that is one message gets 400, and other methods 405', async () => {
    const authorization = `Bearer ${service.api.apiKey}`;
    const batch = {
      method: 'POST',
      body: '[]',
      headers: { authorization, 'content-type': 'application/json' },
    };
    expect((await fetch(`${service.url}/mcp`, batch)).status).toBe(400);
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${service.url}/mcp`, { method, headers: { authorization } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});

describe('a spending limit', () => {
  const limited = (usd: string) => connect({ 'X-Spending-Limit-USD': usd });
  const convert = (client: Client) => call(client, 'convert', { image_url: subject(), to_format: 'gif' });

  it('ends the spending of a session, and of this session alone', async () => {
    const client = await limited('0.005');
    expect((await convert(client)).isError).toBeFalsy();
    expect((await convert(client)).isError).toBeFalsy();
    const refused = await convert(client);
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/spending limit of this session, 0\.005 USD, leaves 0\.001 USD/);
    expect(refused.value?.code).toBe('insufficient_balance');
    const other = await limited('0.005');
    expect((await convert(other)).isError).toBeFalsy();
    await Promise.all([client.close(), other.close()]);
  });

  it('holds for calls at the same time', { tags: ['long'] }, async () => {
    const client = await limited('0.004');
    const results = await Promise.all(Array.from({ length: 4 }, () => convert(client)));
    expect(results.filter(({ isError }) => !isError)).toHaveLength(2);
    await client.close();
  });

  it('does not count what failed', { tags: ['long'] }, async () => {
    const client = await limited('0.002');
    const args = { image_url: `${broken.url}/truncated.png`, to_format: 'webp' };
    expect((await call(client, 'convert', args)).isError).toBe(true);
    expect((await convert(client)).isError).toBeFalsy();
    await client.close();
  });

  it('needs its session, which is its key’s alone and cannot be forged', async () => {
    const authorization = `Bearer ${service.api.apiKey}`;
    const list = { method: 'tools/list' };
    const without = await post({ authorization, 'x-spending-limit-usd': '1' }, list);
    expect([without.status, await without.text()]).toEqual([400, expect.stringContaining('Mcp-Session-Id')]);
    const forged = `00000000-0000-4000-8000-000000000000_9.00_99999999999_${'a'.repeat(43)}`;
    expect((await post({ authorization, 'mcp-session-id': forged }, list)).status).toBe(404);
    const begin = { method: 'initialize', params: { protocolVersion: '2025-06-18', ...CLIENT_INFO } };
    const begun = await post({ authorization, 'x-spending-limit-usd': '1' }, begin);
    const own = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    expect((await post({ authorization, ...own }, list)).status).toBe(200);
    const { accountId, ctx } = service.api;
    const { apiKey } = await issueKey(ctx.db, { accountId, name: 'other' });
    expect((await post({ authorization: `Bearer ${apiKey}`, ...own }, list)).status).toBe(404);
    for (const limit of ['-1', 'much', '1e3']) {
      const wrong = await post({ authorization, 'x-spending-limit-usd': limit }, { method: 'initialize' });
      expect([wrong.status, await wrong.text()]).toEqual([
        400,
        expect.stringContaining('X-Spending-Limit-USD'),
      ]);
    }
  });
});
