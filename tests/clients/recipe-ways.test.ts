// @module-tag long

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { main } from '../../clients/typescript/src/cli/main.ts';
import { schema } from '../../server/base/database/db.ts';
import { openOwnDevice } from '../../server/ops/own-device.ts';
import { missingPrograms, ReaderFolder } from '../support/clients/example-programs.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '../../scripts/darkroom.ts');
const RECIPE = join(import.meta.dirname, '../../clients/examples/recipe.json');

let service: LoopbackService;
let folder: ReaderFolder;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
  const photo = await drawRedBall('jpeg');
  folder = await ReaderFolder.create(photo);
  await mkdir(join(folder.path, 'photos'));
  await writeFile(join(folder.path, 'photos/otter.jpg'), photo);
  await copyFile(RECIPE, join(folder.path, 'recipe.json'));
  env = {
    DARKROOM_URL: service.url,
    DARKROOM_KEY: service.api.apiKey,
    XDG_CONFIG_HOME: folder.path,
    DATA_DIR: join(folder.path, '.data'),
    MODELS_OFFLINE: '1',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterAll(async () => {
  await folder?.remove();
  await service?.stop();
});

/** Hashes of the saved files by name, which are deleted for the next way. */
async function takeResults(): Promise<Record<string, string>> {
  const shop = join(folder.path, 'shop');
  const names = (await readdir(shop)).filter((name) => !name.startsWith('.')).toSorted();
  const hashes = await Promise.all(
    names.map(async (name) => [
      name,
      createHash('sha256')
        .update(await readFile(join(shop, name)))
        .digest('hex'),
    ]),
  );
  await rm(shop, { recursive: true });
  return Object.fromEntries(hashes);
}

async function runExample(file: string): Promise<void> {
  const { ended, text } = await folder.start(file, env);
  expect(await ended, text()).toBe(0);
}

/** Runs the recipe by the command. @returns the findings of its steps */
async function runCommand(...args: string[]) {
  const all = ['run', 'recipe.json', 'photos', '--out', 'shop', '--json', ...args];
  const user = createTestTerminal({ env, cwd: folder.path });
  expect([await main(all, user), user.messages()]).toEqual([0, '']);
  return readSteps(user.printed());
}

function readSteps(printed: string) {
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.find(({ status }) => status === 'completed').result.steps;
}

it('a recipe gives the same files, findings and price by every way', async () => {
  const steps = await runCommand();
  const expected = await takeResults();
  expect(Object.keys(expected)).toEqual(['otter-shop.webp', 'otter-thumb.avif']);
  const verdict = { flagged: expect.any(Boolean), categories: steps.safe.categories };

  for (const language of ['sh', 'ts', 'py'] as const) {
    if (missingPrograms(language).length > 0) continue;
    await runExample(`recipe.${language}`);
    expect(await takeResults(), language).toEqual(expected);
  }

  // The executor on this machine, without a service.
  const args = ['run', 'recipe.json', 'photos', '--out', 'shop', '--json', '--local'];
  const local = await run(process.execPath, ['--import', 'tsx', COMMAND, ...args], {
    env: { ...process.env, ...env, INIT_CWD: folder.path, DARKROOM_KEY: '' },
  });
  expect(readSteps(local.stdout).safe).toMatchObject(verdict);
  expect(await takeResults(), 'local').toEqual(expected);

  // A self-hosted worker, at no charge.
  const machine = createTestTerminal({ env, cwd: folder.path });
  const working = main(['worker'], machine, { openMachine: openOwnDevice });
  expect((await runCommand('--run-on', 'own')).safe).toMatchObject(verdict);
  machine.interrupt();
  await working;
  expect(await takeResults(), 'own').toEqual(expected);

  const { db } = service.api.ctx;
  const jobs = await db.select().from(schema.jobs).where(eq(schema.jobs.operationId, 'pipeline'));
  expect(jobs.length).toBeGreaterThan(1);
  for (const { id, runOn } of jobs) {
    const { body } = await service.api.status(id);
    expect(body.output.steps.safe).toMatchObject(verdict);
    expect(body.billing.charged_usd).toBe(runOn === 'own' ? '0.00' : '0.016');
  }
}, 600_000);
