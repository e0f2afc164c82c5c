import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { createClient } from '../../clients/typescript/src/client.ts';
import { openFile } from '../../clients/typescript/src/node.ts';
import { schema } from '../../server/base/database/db.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

let service: LoopbackService;
let idle: LoopbackService;
beforeAll(async () => {
  service = await startLoopbackService();
  idle = await startLoopbackService('', { hasRunner: false });
});
afterAll(() => Promise.all([service.stop(), idle.stop()]));

const convert = (id: string, params: Record<string, unknown>, from = 'input') => {
  return { id, operation: 'convert', from, params };
};
const RECIPE = {
  steps: [
    convert('base', { to_format: 'png', width: 40 }),
    convert('shop', { to_format: 'webp', width: 20, height: 20, fit: 'contain', pad_color: '#fff' }, 'base'),
    convert('thumb', { to_format: 'jpg', width: 8 }, 'base'),
  ],
};

let folder: string;
beforeEach(async () => {
  // Each call asks for a quote, of which an account may have one in five seconds.
  await service.api.ctx.db.delete(schema.rateLimits);
  folder = await mkdtemp(join(tmpdir(), 'darkroom-run-command-'));
  await mkdir(join(folder, 'photos'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = async (...names: string[]) => {
  for (const name of names) await writeFile(join(folder, 'photos', name), await drawRedBall());
};
const write = (recipe: unknown) => writeFile(join(folder, 'recipe.json'), JSON.stringify(recipe));
const terminal = ({ url, api } = service) =>
  createTestTerminal({
    env: { DARKROOM_URL: url, DARKROOM_KEY: api.apiKey, XDG_CONFIG_HOME: join(folder, '.config') },
    cwd: folder,
  });
const run = async (...args: string[]) => {
  const user = terminal();
  const code = await main(['run', 'recipe.json', ...args], user);
  return { code, printed: user.printed(), messages: user.messages() };
};
const list = async () => (await readdir(join(folder, 'out'))).toSorted();
const jobs = ({ api } = service) => api.ctx.db.$count(schema.jobs);
const sizeOf = async (name: string) => {
  const { width, height } = await sharp(join(folder, 'out', name)).metadata();
  return [width, height];
};

it('runs a recipe on a folder, and then only on what is new', async () => {
  await put('a.png', 'a.bmp', 'b.png');
  await write(RECIPE);
  const before = await jobs();
  const first = await run('photos', '--out', 'out');
  expect(first.code).toBe(0);
  expect(first.messages).toBe('3 files, about 0.018 USD: photos/a.bmp costs 0.006 USD.\n');
  expect(first.printed).toContain('photos/b.png → out/b-shop.webp, out/b-thumb.jpg  0.006 USD\n');
  expect(first.printed).toMatch(/\n3 files done in \d+ s, 0\.018 USD charged\.\n$/);
  // Two inputs of one name have results of their own, and nothing half-written is left.
  const files = ['a-png-shop.webp', 'a-png-thumb.jpg', 'a-shop.webp', 'a-thumb.jpg'];
  expect(await list()).toEqual(['.darkroom-run.json', ...files, 'b-shop.webp', 'b-thumb.jpg']);
  expect(await Promise.all(['a-shop.webp', 'a-thumb.jpg'].map(sizeOf))).toEqual([
    [20, 20],
    [8, 6],
  ]);
  const second = await run('photos', '--out', 'out');
  expect(second).toMatchObject({ code: 0, messages: '' });
  expect(second.printed).toMatch(/^0 files done in \d+ s, 3 complete before, 0\.00 USD charged\.\n$/);
  await put('c.png');
  await rm(join(folder, 'out/b-thumb.jpg'));
  expect((await run('photos', '--out', 'out')).printed).toMatch(/2 files done .* 2 complete before/);
  expect(await jobs()).toBe(before + 5);

  // Another recipe replaces the results, but none that a person has changed.
  await write({ ...RECIPE, outputs: ['thumb'] });
  await writeFile(join(folder, 'out/c-thumb.jpg'), 'retouched');
  const third = await run('photos', '--out', 'out', '--json');
  const lines = third.printed.trim().split('\n');
  const [started, summary] = [lines[0], lines.at(-1)].map((line = '') => JSON.parse(line));
  expect(third.code).toBe(1);
  expect(started).toEqual({ status: 'started', files: 4, expected_usd: '0.024' });
  expect(summary).toMatchObject({ status: 'summary', completed: 3, failed: 1, charged_usd: '0.018' });
  expect(third.printed).toMatch(/c-thumb\.jpg exists, and is not from this run/);
  expect(await readFile(join(folder, 'out/c-thumb.jpg'), 'utf8')).toBe('retouched');
  expect(await jobs()).toBe(before + 8);
});

it('keeps every result where steps and inputs ask for one name', async () => {
  await put('a.png', 'b.png');
  const params = { to_format: 'png', width: 900, output_name: 'same-{width}' };
  await write({ steps: [convert('large', params), convert('small', { ...params, width: 800 })] });
  expect((await run('photos', '--out', 'out')).code).toBe(0);
  const state = JSON.parse(await readFile(join(folder, 'out/.darkroom-run.json'), 'utf8'));
  const files = Object.values<{ outputs: { file: string }[] }>(state.files).flatMap(({ outputs }) =>
    outputs.map(({ file }) => file),
  );
  expect(new Set(files).size).toBe(4);
  expect(await list()).toEqual(['.darkroom-run.json', ...files.toSorted()]);
  expect((await run('photos', '--out', 'out')).printed).toMatch(/^0 files done .* 2 complete before/);
});

it('ends with 1 when a file failed, and names the results as a step asks', async () => {
  await put('a.png');
  await writeFile(join(folder, 'photos/b.png'), 'not an image');
  const params = { to_format: 'png', width: 12, output_name: '{name} {width}x{height}' };
  await write({ image_url: 'https://example.com/otter.jpg', steps: [convert('small', params)] });
  const { code, printed, messages } = await run('photos', '--out', 'out');
  expect(code).toBe(1);
  expect(messages).toMatch(/^photos\/b\.png: /m);
  expect(printed).toMatch(/1 file done in \d+ s, 1 failed, 0\.002 USD charged/);
  expect(await list()).toEqual(['.darkroom-run.json', 'a 12x9.png']);
});

it.each([
  ['steps[0].params.width', { steps: [convert('a', { to_format: 'png', width: 0 })] }],
  ['steps[0].operation', { steps: [{ id: 'a', operation: 'sharpen' }] }],
  ['preset', { preset: 'none' }],
  ['overrides.b', { ...RECIPE, overrides: { b: {} } }],
  ['steps[0].from', { steps: RECIPE.steps.toReversed() }],
  ['outputs[0]', { ...RECIPE, outputs: ['other'] }],
  ['quality', { ...RECIPE, quality: 3 }],
  ['steps', {}],
])('ends with 2 at a wrong %s, before anything runs', async (field, recipe) => {
  await put('a.png');
  await write(recipe);
  const before = await jobs();
  const { code, messages } = await run('photos', '--out', 'out');
  expect([code, messages]).toEqual([2, expect.stringContaining(`${field}: `)]);
  expect(await jobs()).toBe(before);
  await expect(list()).rejects.toThrow('ENOENT');
});

it('ends with 2 without a folder for results, or with a recipe that is no JSON', async () => {
  await put('a.png');
  await writeFile(join(folder, 'recipe.json'), '{');
  expect(await run('photos')).toMatchObject({ code: 2, messages: expect.stringContaining('--out') });
  expect(await run('photos', '--out', 'out')).toMatchObject({ code: 2, messages: /no JSON/ });
});

it('takes the result of a request that an ended process has sent', async () => {
  await put('a.png');
  await write(RECIPE);
  const client = createClient({ origin: service.url, apiKey: service.api.apiKey });
  const photo = await openFile(join(folder, 'photos/a.png'));
  await client.pipelines.run(photo, RECIPE, { idempotencyKey: 'left-behind' });
  await mkdir(join(folder, 'out'));
  const files = { '../photos/a.png': { name: 'a', key: 'left-behind' } };
  await writeFile(join(folder, 'out/.darkroom-run.json'), JSON.stringify({ version: 1, files }));
  const before = await jobs();
  expect((await run('photos', '--out', 'out')).code).toBe(0);
  expect(await jobs()).toBe(before);
  expect(await list()).toContain('a-shop.webp');
});

it('keeps a file that no run has written, and sends nothing for it', async () => {
  await put('a.png');
  await write(RECIPE);
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'out/a-shop.webp'), 'mine');
  const before = await jobs();
  const { code, messages } = await run('photos', '--out', 'out');
  expect([code, messages]).toEqual([1, expect.stringMatching(/a-shop\.webp exists.*--force/)]);
  expect([await jobs(), await readFile(join(folder, 'out/a-shop.webp'), 'utf8')]).toEqual([before, 'mine']);
  expect((await run('photos', '--out', 'out', '--force')).code).toBe(0);
  expect(await sizeOf('a-shop.webp')).toEqual([20, 20]);
});

it('Ctrl-C cancels the job, and the next call begins it again', async () => {
  await put('a.png');
  await write(RECIPE);
  const user = terminal(idle);
  const running = main(['run', 'recipe.json', 'photos', '--out', 'out'], user);
  await expect.poll(() => jobs(idle), { timeout: 20_000 }).toBe(1);
  user.interrupt();
  expect(await running).toBe(130);
  expect(user.printed()).toMatch(/^0 files done in \d+ s, 1 not run, 0\.00 USD charged\.\n$/);
  const job = await idle.api.ctx.db.query.jobs.findFirst();
  expect(job).toMatchObject({ status: 'FAILED' });
  expect(await list()).toEqual(['.darkroom-run.json']);
  const next = terminal(idle);
  const again = main(['run', 'recipe.json', 'photos', '--out', 'out'], next);
  await expect.poll(() => jobs(idle), { timeout: 20_000 }).toBe(2);
  next.interrupt();
  await again;
});

it('prints prices with --quote, and runs nothing', async () => {
  await put('a.png', 'b.png');
  await write({ ...RECIPE, overrides: { thumb: { width: null, height: 5 } } });
  const before = await jobs();
  const { code, printed } = await run('photos', '--out', 'out', '--quote');
  expect([code, printed]).toEqual([0, expect.stringMatching(/^Together {2}0\.012 USD$/m)]);
  expect(await jobs()).toBe(before);
});

it('two calls in one folder keep what both have completed', async () => {
  await put('a.png', 'b.png');
  await write(RECIPE);
  const calls = ['a.png', 'b.png'].map((name) => run(`photos/${name}`, '--out', 'out'));
  for (const { code } of await Promise.all(calls)) expect(code).toBe(0);
  const { files } = JSON.parse(await readFile(join(folder, 'out/.darkroom-run.json'), 'utf8'));
  expect(Object.values(files)).toMatchObject([
    { outputs: expect.any(Array) },
    { outputs: expect.any(Array) },
  ]);
  const before = await jobs();
  expect((await run('photos', '--out', 'out')).printed).toContain('2 complete before');
  expect(await jobs()).toBe(before);
});
