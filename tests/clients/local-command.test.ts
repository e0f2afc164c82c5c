// @module-tag long

import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveFiles } from '../../lab/support/file-server.ts';
import { openLocalRunner } from '../../server/ops/local-runner.ts';
import { drawRedBall } from '../support/service/api.ts';

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '../../scripts/darkroom.ts');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-local-'));
  await writeFile(join(folder, 'ball.png'), await drawRedBall());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the product's command without key, service and network. */
async function darkroom(...args: string[]) {
  const env = { ...process.env, MODELS_OFFLINE: '1', DATA_DIR: join(folder, '.data'), INIT_CWD: folder };
  const {
    DARKROOM_KEY: _key,
    DARKROOM_URL: _url,
    DATABASE_URL: _database,
    ...own
  } = env as NodeJS.ProcessEnv;
  const command = run(process.execPath, ['--import', 'tsx', COMMAND, ...args], { env: own });
  return await command.then(
    (printed) => ({ ...printed, code: 0 }),
    (thrown: { stdout: string; stderr: string; code: number }) => thrown,
  );
}
const metadata = (name: string) => sharp(join(folder, name)).metadata();

describe('darkroom --local', () => {
  it('converts several files without an account', async () => {
    await writeFile(join(folder, 'photo.jpg'), await drawRedBall('jpeg'));
    await writeFile(join(folder, 'note.txt'), 'not an image');
    const files = ['ball.png', 'photo.jpg', 'note.txt'];
    const { code, stdout, stderr } = await darkroom(
      'convert',
      '--local',
      '--to',
      'webp',
      '--out',
      'x',
      ...files,
    );
    expect(stdout).toBe('ball.png → x/ball.webp\nphoto.jpg → x/photo.webp\n');
    expect(stderr).toMatch(/^note\.txt: /m);
    expect(code).toBe(1);
    expect(await metadata('x/ball.webp')).toMatchObject({ format: 'webp', width: 160, height: 120 });
  });

  it('removes a background with the bundled model, before an image from a URL', async () => {
    const sky = sharp({ create: { width: 30, height: 20, channels: 3, background: '#80a0e0' } });
    const web = await serveFiles({
      '/ball.png': await drawRedBall(),
      '/sky.png': await sky.png().toBuffer(),
    });
    const args = ['--local', '--json', '--background', `${web.url}/sky.png`];
    const { code, stdout, stderr } = await darkroom('remove-bg', `${web.url}/ball.png`, ...args);
    await web.close();
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      files: ['ball-remove-bg.png'],
      charged_usd: null,
      request_id: null,
      engine: expect.stringMatching(/^matte on /),
      result: { status: 'success', original_size: '160x120', subjects_detected: 1 },
    });
    const { data } = await sharp(join(folder, 'ball-remove-bg.png'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([0x80, 0xa0, 0xe0]);
  });

  it('runs a recipe, and skips what is complete', async () => {
    await writeFile(join(folder, 'ball.jpg'), await drawRedBall('jpeg'));
    const step = (id: string, operation: string, params: object, from = 'input') => ({
      ...{ id, operation, from, params },
    });
    const recipe = {
      steps: [
        step('cut', 'remove-bg', {}),
        step('shop', 'convert', { to_format: 'jpg', background: '#fff' }, 'cut'),
        step('thumb', 'convert', { to_format: 'webp', width: 9, output_name: '{name}-{width}' }, 'cut'),
      ],
      overrides: { thumb: { width: 16 } },
    };
    await writeFile(join(folder, 'recipe.json'), JSON.stringify(recipe));
    const args = ['run', 'recipe.json', 'ball.png', 'ball.jpg', '--out', 'x', '--local'];
    const first = await darkroom(...args);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('ball.png → x/ball-shop.jpg, x/ball-16.webp\n');
    expect(first.stdout).toMatch(/\n2 files done in \d+ s\.\n$/);
    const files = ['ball-16-2.webp', 'ball-16.webp', 'ball-jpg-shop.jpg', 'ball-shop.jpg'];
    expect((await readdir(join(folder, 'x'))).toSorted()).toEqual(['.darkroom-run.json', ...files]);
    expect(await metadata('x/ball-16.webp')).toMatchObject({ format: 'webp', width: 16, height: 12 });
    expect((await darkroom(...args)).stdout).toMatch(/^0 files done in \d+ s, 2 complete before\.\n$/);
    await writeFile(join(folder, 'recipe.json'), JSON.stringify({ ...recipe, overrides: { other: {} } }));
    expect(await darkroom(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^overrides\.other: /),
    });
  });

  it('says that a run costs nothing, and what is wrong with a flag', async () => {
    const quoted = await darkroom('convert', 'ball.png', '--to', 'gif', '--local', '--quote');
    expect(quoted).toMatchObject({ code: 2, stderr: expect.stringContaining('costs nothing') });
    const wrong = await darkroom('convert', 'ball.png', '--to', 'gif', '--local', '--quality', '500');
    expect(wrong).toMatchObject({ code: 2, stderr: '--quality: must be a number from 1 to 100.\n' });
  });
});

it('an aborted run ends its process, and leaves no files; a start deletes those of a killed process', async () => {
  vi.stubEnv('DATA_DIR', join(folder, '.data'));
  vi.stubEnv('MODELS_OFFLINE', '1');
  vi.stubEnv('TMPDIR', folder);
  const { pid } = spawnSync('true');
  await mkdir(join(folder, `darkroom-${pid}-1-${hostname()}-abcdef`));
  const foldersOf = async (owner: number) =>
    (await readdir(folder)).filter((name) => name.startsWith(`darkroom-${owner}-`));
  await sharp({ create: { width: 1500, height: 1500, channels: 3, background: '#345' } })
    .png()
    .toFile(join(folder, 'large.png'));
  const runner = await openLocalRunner(1);
  expect(await foldersOf(pid)).toEqual([]);
  const stop = new AbortController();
  let used: Promise<string[]> | undefined;
  const saved: string[] = [];
  const running = runner.run(
    {
      operation: 'upscale',
      params: { scale: 4 },
      input: join(folder, 'large.png'),
      signal: stop.signal,
      onProgress() {
        used ??= foldersOf(process.pid);
        stop.abort(new Error('left'));
      },
    },
    async ({ engine }) => void saved.push(engine),
  );
  await expect(running).rejects.toThrow('left');
  runner.close();
  expect(saved).toEqual([]);
  expect(await used).toHaveLength(1);
  expect(await foldersOf(process.pid)).toEqual([]);
});
