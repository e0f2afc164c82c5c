import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = ['--import', 'tsx', join(ROOT, 'clients/typescript/src/cli/bin.ts'), 'mcp'];
/** The product's own command, which has codecs and models. */
const OWN_COMMAND = ['--import', 'tsx', join(ROOT, 'scripts/darkroom.ts'), 'mcp', '--local'];

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

async function start(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    // tsx is found from the project: the files lie in another folder.
    cwd: process.cwd(),
    env,
    stderr: 'pipe',
  });
  await client.connect(transport);
  return client;
}

const connect = (...args: string[]) => start([...COMMAND, '--allow', folder, ...args], environment());

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
    expect(tools).toHaveLength(14);
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

  it('sends no file outside of its folders, though a link in one leads to it', async () => {
    const client = await connect();
    await symlink('/etc/passwd', join(folder, 'link.png'));
    const before = service.requests.filter((request) => request.includes('/uploads')).length;
    for (const path of ['/etc/passwd', join(folder, '../passwd'), join(folder, 'link.png')]) {
      for (const [tool, args] of [
        ['upload', { path }],
        ['convert', { image_url: path, to_format: 'png' }],
        ['quote', { operation: 'convert', params: { image_url: path, to_format: 'png' } }],
      ] as const) {
        const { isError, text } = await call(client, tool, args);
        expect([isError, text]).toEqual([
          true,
          expect.stringMatching(/^(path|image_url): .* lies outside of /),
        ]);
      }
    }
    expect(service.requests.filter((request) => request.includes('/uploads'))).toHaveLength(before);
    const { value } = await call(client, 'upload', { path: join(folder, 'ball.png') });
    expect(value?.upload_url).toMatch(/^http/);
    await client.close();
  });

  it('with a wrong key ends with 3', async () => {
    await expectEnd([[], { DARKROOM_KEY: 'mk_wrong' }, 3, 'API key']);
  });

  // Each starts a process, which takes a second.
  it.for([
    [[], { DARKROOM_KEY: '' }, 3, 'darkroom login'],
    [[], { DARKROOM_URL: 'http://127.0.0.1:9' }, 5, 'cannot be reached'],
    [['--max-usd', 'much'], {}, 2, '--max-usd'],
    [['--limit'], {}, 2, 'Usage: darkroom mcp'],
    [['--allow', 'no-such-folder'], {}, 2, '--allow: there is no folder'],
  ] as const)('%o with %o ends with %i', { tags: ['long'] }, expectEnd);

  /** Arguments, further variables, the exit code and a part of the message. */
  type End = readonly [
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    code: number,
    message: string,
  ];

  async function expectEnd([args, env, code, message]: End): Promise<void> {
    const running = promisify(execFile)(process.execPath, [...COMMAND, ...args], {
      env: { ...environment(), ...env },
    });
    running.child.stdin?.end();
    await expect(running).rejects.toMatchObject({
      code,
      stderr: expect.stringContaining(message),
      stdout: '',
    });
  }
});

describe('darkroom mcp --local', () => {
  const own = () => ({
    PATH: process.env.PATH ?? '',
    INIT_CWD: folder,
    DATA_DIR: join(folder, '.data'),
    MODELS_OFFLINE: '1',
  });

  it('runs the operations on this machine, without account and service', { tags: ['long'] }, async () => {
    const client = await start(OWN_COMMAND, own());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [
        'convert',
        'diarize',
        'extend',
        'moderate',
        'remove-bg',
        'run_pipeline',
        'stems',
        'upscale',
      ].toSorted(),
    );
    const convert = tools.find(({ name }) => name === 'convert');
    expect(convert?.inputSchema.required?.toSorted()).toEqual(['image_url', 'to_format']);
    expect(Object.keys(convert?.inputSchema.properties ?? {})).not.toContain('run_on');
    expect(convert?.description).not.toContain('USD');
    const done = await call(client, 'convert', { image_url: 'ball.png', to_format: 'webp' });
    const path = join(folder, 'ball.webp');
    expect(done.value).toMatchObject({ status: 'COMPLETED', charged_usd: '0.00', files: [path] });
    expect((await sharp(path).metadata()).format).toBe('webp');
    const earlier = { image_url: 'ball.png', to_format: 'gif', out: 'earlier.gif' };
    expect((await call(client, 'image-convert', earlier)).value).toMatchObject({ status: 'COMPLETED' });
    const elsewhere = { image_url: join(folder, 'ball.png'), to_format: 'gif', out: 'x/' };
    expect((await call(client, 'convert', elsewhere)).value).toMatchObject({
      files: [join(folder, 'x/ball.gif')],
    });
    const verdict = await call(client, 'moderate', { image_url: 'ball.png', categories: ['Sexual'] });
    expect(verdict.value).toMatchObject({ result: { flagged: false } });
    const refused = [
      [{ image_url: 'ball.png', to_format: 'webp' }, /^out: .*ball\.webp exists/],
      [{ image_url: 'none.png', to_format: 'png' }, /none\.png/],
      [{ image_url: 'ball.png', to_format: 'psd' }, /^to_format: /],
      [{ to_format: 'png' }, /^image_url: /],
      [{ image_url: '/etc/passwd', to_format: 'png' }, /^image_url: .* lies outside of /],
      [{ image_url: 'ball.png', to_format: 'png', out: '/tmp/ball.png' }, /^out: .* lies outside of /],
      [{ image_url: 'ball.png', to_format: 'png', out: '../x/y/ball.png' }, /^out: .* lies outside of /],
    ] as const;
    for (const [args, message] of refused) {
      const { isError, text } = await call(client, 'convert', args);
      expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
    }
    // Calls at once run one by one: the second sees the result of the first, and is not run.
    const same = { image_url: 'ball.png', to_format: 'avif' };
    const [first, second] = await Promise.all([call(client, 'convert', same), call(client, 'convert', same)]);
    expect(first.value).toMatchObject({ status: 'COMPLETED' });
    expect(second.text).toMatch(/^out: .*ball\.avif exists/);
    await client.close();
  });

  it('writes no file outside of its folders, whatever the paths and names', { tags: ['long'] }, async () => {
    const outside = await mkdtemp(join(tmpdir(), 'darkroom-mcp-outside-'));
    await symlink(outside, join(folder, 'way-out'));
    await symlink(join(outside, 'new.webp'), join(folder, 'dangling.webp'));
    await writeFile(join(outside, 'ball.png'), await drawRedBall());
    await symlink(join(outside, 'ball.png'), join(folder, 'far-ball.png'));
    const up = relative(folder, outside);
    const client = await start(OWN_COMMAND, own());
    for (const args of [
      { to_format: 'webp', image_url: 'ball.png', out: `${outside}/` },
      { to_format: 'webp', image_url: 'ball.png', out: `${up}/a.webp` },
      { to_format: 'webp', image_url: 'ball.png', out: 'way-out/' },
      { to_format: 'webp', image_url: 'ball.png', out: 'way-out/made/b.webp' },
      { to_format: 'webp', image_url: 'ball.png', out: `way-out/../../${basename(outside)}/c.webp` },
      { to_format: 'webp', image_url: 'way-out/ball.png' },
      { to_format: 'webp', image_url: 'far-ball.png' },
      { to_format: 'webp', image_url: 'ball.png', output_name: `${up}/d` },
      { to_format: 'webp', image_url: 'ball.png', output_name: `${outside}/e` },
      { to_format: 'webp', image_url: 'ball.png', output_name: 'way-out/f', out: 'named/' },
      { to_format: 'webp', image_url: 'ball.png', out: 'dangling.webp' },
    ]) {
      const { value, isError } = await call(client, 'convert', args);
      const files = (value?.files ?? []) as readonly string[];
      expect({
        args,
        isRefused: isError === true || files.every((file) => dirname(file) !== outside),
      }).toEqual({ args, isRefused: true });
      expect(await readdir(outside), JSON.stringify(args)).toEqual(['ball.png']);
    }
    await client.close();
    await rm(outside, { recursive: true });
  });

  it.for([
    [['--local'], 'mcp --local: not available here'],
    [['--local', '--max-usd', '1'], '--max-usd: a run on this machine costs nothing'],
  ] as const)('the package refuses %o', async ([args, message]) => {
    const running = promisify(execFile)(process.execPath, [...COMMAND, ...args], { env: environment() });
    running.child.stdin?.end();
    await expect(running).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
