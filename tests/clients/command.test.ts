import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { schema } from '../../server/base/database/db.ts';
import { issueKey } from '../../server/identity/keys/index.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const BIN = join(import.meta.dirname, '../../clients/typescript/src/cli/bin.ts');

let service: LoopbackService;
let idle: LoopbackService;
beforeAll(async () => {
  service = await startLoopbackService();
  idle = await startLoopbackService('', { hasRunner: false });
});
afterAll(() => Promise.all([service.stop(), idle.stop()]));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const getEnv = ({ url, api }: LoopbackService = service) => ({
  DARKROOM_URL: url,
  DARKROOM_KEY: api.apiKey,
  XDG_CONFIG_HOME: join(folder, '.config'),
});
const terminal = (env: Record<string, string> = getEnv()) => createTestTerminal({ env, cwd: folder });
const put = async (...names: string[]) => {
  for (const name of names) await writeFile(join(folder, name), await drawRedBall());
};
const getFormat = async (name: string) => (await sharp(join(folder, name)).metadata()).format;

describe('an operation', () => {
  it('converts several files next to each other', async () => {
    await put('a.png', 'b.png', 'c.png');
    const user = terminal();
    expect(await main(['convert', 'a.png', 'b.png', 'c.png', '--to', 'webp', '-j', '2'], user)).toBe(0);
    expect((await readdir(folder)).filter((name) => name.endsWith('.webp'))).toEqual([
      ...['a.webp', 'b.webp', 'c.webp'],
    ]);
    expect(await getFormat('b.webp')).toBe('webp');
    expect(user.printed()).toMatch(/^a\.png → a\.webp {2}0\.002 USD$/m);
    expect(user.messages()).toBe('');
    // No part of a file is left.
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('prints a line of JSON for each file, with what failed', async () => {
    await put('a.png');
    await writeFile(join(folder, 'note.txt'), 'not an image');
    const user = terminal();
    expect(await main(['remove-bg', 'a.png', 'note.txt', '--json', '--out', 'cut/'], user)).toBe(1);
    const lines = user
      .printed()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        input: 'a.png',
        status: 'completed',
        files: ['cut/a-remove-bg.png'],
        charged_usd: '0.01',
        result: expect.objectContaining({ status: 'success', original_size: '160x120' }),
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ input: 'note.txt', status: 'failed', error: expect.anything() }),
    );
    expect(await getFormat('cut/a-remove-bg.png')).toBe('png');
  });

  it('quotes, and runs nothing', async () => {
    await put('a.png', 'b.png');
    const before = await service.api.ctx.db.$count(schema.jobs);
    const user = terminal();
    expect(await main(['remove-bg', 'a.png', 'b.png', '--quote'], user)).toBe(0);
    expect(user.printed()).toMatch(/^a\.png {2}0\.01 USD/m);
    expect(user.printed()).toMatch(/^Together {2}0\.02 USD$/m);
    expect(await service.api.ctx.db.$count(schema.jobs)).toBe(before);
  });

  it('never overwrites a file before it is told to, and pays for nothing that it cannot save', async () => {
    await put('a.png');
    await writeFile(join(folder, 'a.webp'), 'mine');
    const before = await service.api.ctx.db.$count(schema.jobs);
    const user = terminal();
    expect(await main(['convert', 'a.png', '--to', 'webp'], user)).toBe(1);
    expect(user.messages()).toContain('a.webp exists.');
    expect(user.messages()).toContain('--force');
    expect(await readFile(join(folder, 'a.webp'), 'utf8')).toBe('mine');
    expect(await service.api.ctx.db.$count(schema.jobs)).toBe(before);
    expect(await main(['convert', 'a.png', '--to', 'webp', '--force'], terminal())).toBe(0);
    expect(await getFormat('a.webp')).toBe('webp');
  });

  it('refuses two files with the same result, before anything runs', async () => {
    await put('a.png', 'a.bmp');
    const before = await service.api.ctx.db.$count(schema.jobs);
    for (const name of [[], ['--force'], ['--output-name', '{name}'], ['--output-name', 'all']]) {
      const user = terminal();
      expect(await main(['convert', 'a.png', 'a.bmp', '--to', 'webp', ...name], user)).toBe(2);
      expect(user.messages()).toMatch(
        /^a\.png and a\.bmp: both would be saved as \S+(a\.webp|a|all)\. Run them/,
      );
    }
    expect(await service.api.ctx.db.$count(schema.jobs)).toBe(before);
  });

  it('saves one of two files with the same result by its size, and fetches the other later', async () => {
    await put('a.png', 'a.bmp');
    const user = terminal();
    const args = ['convert', 'a.png', 'a.bmp', '--to', 'webp', '--output-name', '{width}', '--json'];
    expect(await main(args, user)).toBe(1);
    const failed = user
      .printed()
      .split('\n')
      .find((line) => line.includes('"failed"'));
    const [, id = ''] = /darkroom get ([\w-]+)/.exec(failed ?? '') ?? [];
    expect(id).toMatch(/^media-convert-image_/);
    const later = terminal();
    expect(await main(['get', id], later)).toBe(0);
    expect(await getFormat(`${id}.webp`)).toBe('webp');
    expect(await main(['get', id], later)).toBe(1);
    expect(later.messages()).toContain('exists');
  });

  it('takes a URL, and --out names the file', async () => {
    const url = `${service.api.files.url}/subject.png`;
    expect(await main(['convert', url, '--to', 'png', '--out', 'x/ball.png'], terminal())).toBe(0);
    expect(await getFormat('x/ball.png')).toBe('png');
  });

  it('shows the progress on a terminal', async () => {
    await put('a.png');
    const user = createTestTerminal({ env: getEnv(), cwd: folder, isWatched: true });
    expect(await main(['convert', 'a.png', '--to', 'gif'], user)).toBe(0);
    expect(user.messages()).toMatch(/a\.png {2}\d+ %/);
    expect(user.messages().endsWith('\r\u001b[K')).toBe(true);
  });
});

describe('the command refuses', () => {
  it('a missing file and an empty folder, before anything runs', async () => {
    await put('a.png');
    await mkdir(join(folder, 'images'));
    const user = terminal();
    expect(await main(['convert', 'a.png', 'b.png', '--to', 'webp'], user)).toBe(2);
    expect(user.messages()).toBe('b.png: there is no such file.\n');
    expect(await main(['convert', 'images', '--to', 'webp'], terminal())).toBe(2);
    expect(await readdir(folder)).toEqual(['a.png', 'images']);
  });

  it('an unknown command', async () => {
    const user = terminal();
    expect(await main(['paint'], user)).toBe(2);
    expect(user.messages()).toBe('paint: unknown command. See "darkroom --help".\n');
  });

  it('a value that only the operation itself knows to be wrong, in the words of its flag', async () => {
    await put('a.png');
    const user = terminal();
    expect(await main(['remove-bg', 'a.png', '--background', 'reddish'], user)).toBe(1);
    expect(user.messages()).toMatch(/^a\.png: --background: /);
  });

  it('to work without a key, with a wrong one, or out of reach', async () => {
    await put('a.png');
    const { DARKROOM_KEY: _, ...keyless } = getEnv();
    const without = terminal(keyless);
    expect(await main(['upscale', 'a.png'], without)).toBe(3);
    expect(without.messages()).toContain('darkroom login');
    const wrong = terminal({ ...keyless, DARKROOM_KEY: 'mk_wrong' });
    expect(await main(['upscale', 'a.png'], wrong)).toBe(3);
    expect(wrong.messages()).toContain('Check the API key');
    expect(await main(['upscale', 'a.png'], terminal({ ...keyless, DARKROOM_URL: 'localhost' }))).toBe(2);
  });

  it('to go on once the money is used up', async () => {
    await put('a.png', 'b.png', 'c.png');
    const { api } = idle;
    await api.ctx.db.delete(schema.idempotencyKeys);
    // All of the account's dollar is held by a request that waits.
    const images = { expand_left: 10, num_images: 8 };
    const held = await api.post('/image-outpaint/v1/image-outpaint-request', {
      image_url: api.imageUrl,
      ...images,
    });
    expect(held.status).toBe(202);
    const user = terminal(getEnv(idle));
    expect(await main(['extend', 'a.png', 'b.png', 'c.png', '-j', '1'], user)).toBe(4);
    expect(user.messages()).toContain('Top up the wallet');
    expect(user.messages()).toContain('2 more not started.');
    await api.call('DELETE', `/api/v2/requests/${held.body.request_id}`, {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
  });
});

describe('Ctrl-C', () => {
  it('cancels the job at the service, and leaves no file', async () => {
    await put('a.png');
    const child = spawn(process.execPath, ['--import', 'tsx', BIN, 'upscale', join(folder, 'a.png')], {
      env: { ...process.env, ...getEnv(idle) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const jobs = () => idle.api.ctx.db.select().from(schema.jobs);
    const own = async () => (await jobs()).find(({ operationId }) => operationId === 'upscale');
    await expect.poll(async () => (await own())?.status).toBe('QUEUED');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect(await own()).toMatchObject({ status: 'FAILED', error: 'canceled' });
    expect(await readdir(folder)).toEqual(['a.png']);
  });
});

describe('login', () => {
  const login = async (secret: string) => {
    const { DARKROOM_KEY: _, ...env } = getEnv();
    const user = createTestTerminal({ env, cwd: folder, secret });
    return { code: await main(['login'], user), user, env };
  };

  it('tries the key, saves it for its owner only, and logout deletes it', async () => {
    const { code, user, env } = await login(`${service.api.apiKey}\n`);
    expect(code).toBe(0);
    expect(user.printed()).toMatch(/USD are available/);
    const path = join(folder, '.config/darkroom/config.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await put('a.png');
    expect(await main(['convert', 'a.png', '--to', 'webp'], terminal(env))).toBe(0);
    const elsewhere = terminal({ ...env, DARKROOM_URL: 'https://other.example' });
    expect(await main(['convert', 'a.png', '--to', 'gif'], elsewhere)).toBe(3);
    await chmod(path, 0o644);
    const open = terminal(env);
    expect(await main(['convert', 'a.png', '--to', 'gif'], open)).toBe(3);
    expect(open.messages()).toContain('chmod 600');
    expect(await main(['logout'], terminal(env))).toBe(0);
    expect(await readdir(join(folder, '.config/darkroom'))).toEqual([]);
  });

  it('says that a key with operations has no cap', async () => {
    const { ctx, accountId } = service.api;
    const { apiKey } = await issueKey(ctx.db, { accountId, name: 'limited', operations: ['upscale'] });
    const { code, user } = await login(apiKey);
    expect([code, user.printed()]).toEqual([0, expect.stringMatching(/The key has no cap\.$/m)]);
  });

  it('saves no wrong key', async () => {
    expect((await login('mk_wrong')).code).toBe(3);
    expect((await login('')).code).toBe(3);
    expect(await readdir(folder)).toEqual([]);
  });
});

it('--local says why it is not available without the product', async () => {
  await put('a.png');
  const user = terminal({});
  expect(await main(['remove-bg', 'a.png', '--local'], user)).toBe(2);
  expect(user.messages()).toMatch(/^--local: not available here, since /);
});
