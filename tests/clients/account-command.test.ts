import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { issueKey } from '../../server/identity/keys/index.ts';
import { listActiveSecrets } from '../../server/io/webhooks/index.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

let service: LoopbackService;
let idle: LoopbackService;
let hooks: WebhookReceiver;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
  idle = await startLoopbackService('', { isSignedIn: false, hasRunner: false });
  hooks = await startWebhookReceiver();
});
afterAll(() => Promise.all([service.stop(), idle.stop(), hooks.close()]));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-account-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const terminal = ({ url, api }: LoopbackService = service, apiKey = api.apiKey) =>
  createTestTerminal({
    env: { DARKROOM_URL: url, DARKROOM_KEY: apiKey, XDG_CONFIG_HOME: join(folder, '.config') },
    cwd: folder,
  });
/** Runs the command, and returns its code and what it has printed. */
async function run(args: readonly string[], from?: LoopbackService) {
  const user = terminal(from);
  const code = await main(args, user);
  return { code, text: user.printed(), messages: user.messages() };
}
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const put = async (...names: string[]) => {
  for (const name of names) await writeFile(join(folder, name), await drawRedBall());
};

describe('folders and quoted patterns', () => {
  it('stand for the files that the operation reads', async () => {
    await mkdir(join(folder, 'photos/more'), { recursive: true });
    await put('photos/a.png', 'photos/b.jpg', 'photos/more/c.png', 'photos/.d.png');
    await writeFile(join(folder, 'photos/note.txt'), 'no image');
    expect((await run(['convert', 'photos', '--to', 'webp', '--out', 'one'])).code).toBe(0);
    expect((await readdir(join(folder, 'one'))).toSorted()).toEqual(['a.webp', 'b.webp']);
    expect((await run(['convert', 'photos/*.{png,gif}', '--to', 'webp', '--out', 'two'])).code).toBe(0);
    expect(await readdir(join(folder, 'two'))).toEqual(['a.webp']);
    expect((await run(['convert', 'photos/**/*.png', '--to', 'webp', '--out', 'three'])).code).toBe(0);
    expect((await readdir(join(folder, 'three'))).toSorted()).toEqual(['a.webp', 'c.webp']);
  });

  it('without such a file are refused', async () => {
    await mkdir(join(folder, 'empty'));
    expect(await run(['convert', 'empty', '--to', 'webp'])).toMatchObject({ code: 2 });
    const { code, messages } = await run(['convert', '*.heic', '--to', 'webp']);
    expect([code, messages]).toEqual([2, '*.heic: matches no file.\n']);
  });
});

it('wrong values are told before anything is sent', async () => {
  await put('a.png');
  const before = service.requests.length;
  for (const [args, flag] of [
    [['convert', 'a.png', '--to', 'webp', '--quality', '500'], '--quality: must be a number from 1 to 100.'],
    [['extend', 'a.png', '--expand-left', '1.5'], '--expand-left: must be a whole number from 0 to 700.'],
    [['remove-bg', 'a.png', '--position', '3'], '--position: must be an object as JSON.'],
    [['get', '..'], '..: is no request_id.'],
    [['cancel', '../a'], '../a: is no request_id.'],
    [['batch', 'stems', 'a.mp3'], 'stems: choose convert, '],
    [['jobs', '--limit', '0'], '--limit: '],
    [['listen', '--forward-to', 'here'], '--forward-to: '],
    [['trigger', 'late'], 'late: unknown event.'],
  ] as const) {
    const { code, messages } = await run(args);
    expect([code, messages]).toEqual([2, expect.stringContaining(flag)]);
  }
  expect(service.requests).toHaveLength(before);
});

it('a fault that every file meets is told once', async () => {
  await put('a.png', 'b.png', 'c.png');
  const user = terminal(service, 'mk_wrong');
  expect(await main(['convert', 'a.png', 'b.png', 'c.png', '--to', 'webp'], user)).toBe(3);
  expect(user.messages().match(/API key is unknown/g)).toHaveLength(1);
});

it('runs a batch, and saves each result next to its input', async () => {
  await put('a.png', 'b.png');
  await writeFile(join(folder, 'c.png'), 'no image');
  const { code, text } = await run(['batch', 'convert', '*.png', '--to', 'gif', '--json']);
  expect(code).toBe(1);
  expect(lines(text)).toMatchObject([
    { input: 'a.png', status: 'completed', files: ['a.gif'] },
    { input: 'b.png', status: 'completed', files: ['b.gif'] },
    { input: 'c.png', status: 'failed', error: { code: expect.any(String) } },
  ]);
  expect((await sharp(join(folder, 'b.gif')).metadata()).format).toBe('gif');
  const again = await run(['batch', 'convert', 'a.png', '--to', 'gif']);
  expect([again.code, again.messages]).toEqual([1, expect.stringContaining('exists')]);
});

it('tells the options of the operation with a batch', async () => {
  const { code, text } = await run(['batch', 'convert', '--help']);
  expect(code).toBe(0);
  expect(text).toMatch(/^darkroom batch COMMAND[\s\S]+--to NAME/);
  expect((await run(['jobs', '-h'])).text).toMatch(/^darkroom jobs /);
});

it('names the results of a batch by a pattern, in the folder of --out', async () => {
  await mkdir(join(folder, 'photos'));
  await put('photos/a.png');
  const args = [
    'batch',
    'convert',
    'photos',
    '--to',
    'gif',
    '--output-name',
    '{name}-{width}',
    '--out',
    'shop',
  ];
  expect(await run(args)).toMatchObject({ code: 0, messages: '' });
  expect(await readdir(join(folder, 'shop'))).toEqual(['a-160.gif']);
});

it('saves the other results of a batch where one cannot be saved', async () => {
  await put('a.png', 'b.png', 'z.png');
  const pattern = ['--output-name', '{width}-{n}'];
  const saved = ['--to', 'gif', '--out', 'shop', '--json'];
  await mkdir(join(folder, 'shop'));
  await writeFile(join(folder, 'shop', '160-2.gif'), 'mine');
  const { code, text } = await run(['batch', 'convert', 'a.png', 'b.png', 'z.png', ...pattern, ...saved]);
  expect(code).toBe(1);
  expect(lines(text)).toMatchObject([
    { input: 'a.png', status: 'completed' },
    { input: 'b.png', status: 'failed', error: { message: expect.stringContaining('darkroom get') } },
    { input: 'z.png', status: 'completed' },
  ]);
  expect(await readdir(join(folder, 'shop'))).toEqual(['160-1.gif', '160-2.gif', '160-3.gif']);
});

it('lists and cancels jobs, and prints balance and charges', async () => {
  const { api } = idle;
  const sent = await api.post('/media-tools/v1/image-convert', {
    image_url: api.imageUrl,
    to_format: 'webp',
    reference: 'order-1',
  });
  const id: string = sent.body.request_id;
  expect((await run(['jobs', '--reference', 'order-1'], idle)).text).toMatch(
    new RegExp(`^${id}  QUEUED  .*order-1\n$`),
  );
  const [job] = lines((await run(['jobs', '--status', 'QUEUED', '--limit', '1', '--json'], idle)).text);
  expect(job).toMatchObject({ request_id: id, status: 'QUEUED' });
  expect((await run(['jobs', '--reference', 'none'], idle)).messages).toContain('no such jobs');
  expect(lines((await run(['wallet', '--json'], idle)).text)).toMatchObject([{ held_usd: '0.002' }]);
  expect((await run(['wallet'], idle)).text).toMatch(/^held {2}0\.002 USD$/m);
  expect((await run(['cancel', id], idle)).text).toContain(`${id}  FAILED  canceled`);
  const { body: next } = await api.post('/media-tools/v1/image-convert', {
    image_url: api.imageUrl,
    to_format: 'png',
  });
  // One that cannot be canceled keeps none of the others from it.
  const again = await run(['cancel', id, next.request_id, '--json'], idle);
  expect(again.code).toBe(1);
  expect(lines(again.text)).toMatchObject([
    { input: id, status: 'failed', error: { code: 'conflict' } },
    { request_id: next.request_id, status: 'FAILED' },
  ]);
  expect((await run(['usage', '--json'], idle)).code).toBe(0);
  expect((await run(['usage'], idle)).text).toMatch(/^Together {2}0/m);
});

it.each([
  ['jobs', '--operation', 'nope'],
  ['jobs', '--from', 'nope'],
  ['usage', '--from', 'nope'],
])('%s %s %s is a wrong option', async (...args) => {
  const { code, messages } = await run(args, idle);
  expect([code, messages]).toEqual([2, expect.stringMatching(new RegExp(`^${args[1]}: must be .* Usage: `))]);
});

describe('darkroom get', () => {
  const send = async (path: string, body: object): Promise<string> => {
    const { body: sent } = await service.api.post(path, body, { prefer: 'wait=30' });
    return sent.request_id;
  };

  it('saves each result of a batch as a separate file, until they are deleted', async () => {
    const path = '/media-tools/v1/image-convert/batch';
    const image_b64 = (await drawRedBall()).toString('base64');
    const items = [{ image_b64 }, { image_b64, quality: 50 }];
    const id = await send(path, { items, to_format: 'webp' });
    expect(await run(['get', id, '--out', 'got'])).toMatchObject({ code: 0, messages: '' });
    expect(await readdir(join(folder, 'got'))).toEqual([`${id}-1-output.webp`, `${id}-2-output.webp`]);
    expect((await run(['delete', id])).code).toBe(0);
    expect(await run(['get', id, '--force'])).toMatchObject({
      code: 1,
      text: '',
      messages: 'The files of the result were deleted by request.\n',
    });
  });

  it('tells the items of a batch that have failed', async () => {
    const image_b64 = Buffer.from('no image').toString('base64');
    const id = await send('/v1/remove-bg/batch', { items: [{ image_b64 }] });
    const { code, text } = await run(['get', id, '--json']);
    expect(code).toBe(1);
    expect(lines(text)).toMatchObject([
      { files: [], result: { items: [{ status: 'failed' }] } },
      { input: `${id} items[0]`, status: 'failed', request_id: id, error: { code: 'unsupported' } },
    ]);
  });
});

describe('darkroom listen', () => {
  it('posts the signed webhooks of the account to a local address', async () => {
    const user = terminal();
    const listening = main(['listen', '--forward-to', hooks.url, '--json'], user);
    await expect.poll(() => user.messages(), { timeout: 10_000 }).toContain('Listening at');
    for (const outcome of ['completed', 'failed', 'error']) {
      const { text } = await run(['trigger', outcome, '--json']);
      expect(lines(text)).toMatchObject([{ outcome, request_id: expect.stringMatching(/^test_/) }]);
    }
    await put('a.png');
    expect((await run(['convert', 'a.png', '--to', 'webp'])).code).toBe(0);
    await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(4);
    const [secret = ''] = await listActiveSecrets(service.api.ctx.db, service.api.accountId);
    const events = await Promise.all(
      hooks.received.map(({ body, headers }) => verifyWebhook(body, new Headers(headers), secret)),
    );
    const states = events.map((event) => ('status' in event ? [event.status, event.test] : event.type));
    expect(states).toEqual([
      ['COMPLETED', true],
      ['FAILED', true],
      ['ERROR', true],
      ['COMPLETED', false],
    ]);
    await expect.poll(() => user.printed().trim().split('\n').length).toBe(4);
    user.interrupt();
    expect(await listening).toBe(130);
  });

  it('needs a key without limits', async () => {
    const { ctx, accountId } = service.api;
    const { apiKey } = await issueKey(ctx.db, { accountId, name: 'limited', operations: ['upscale'] });
    const user = terminal(service, apiKey);
    expect(await main(['listen', '--forward-to', hooks.url], user)).toBe(3);
    expect(await main(['trigger'], terminal(service, apiKey))).toBe(3);
  });
});
