import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'models-command-'));
});

afterAll(() => rm(dataDir, { recursive: true }));

const BUNDLED = [
  'matte',
  'nsfw-mobilenet',
  'upscale-x2',
  'upscale-x4',
  'upscale-restore-x2',
  'upscale-fast-x2',
  'silero-vad',
  'speakers',
  'overlap',
  'stems',
];

const NPM = ['npm', 'run', '--silent', 'models', '--'];
const NODE = [process.execPath, '--import', 'tsx', 'scripts/models.ts'];

function models(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return run(NODE, args);
}

function run([program = '', ...command]: string[], args: readonly string[]): ReturnType<typeof models> {
  const env = { ...process.env, DATA_DIR: dataDir, MODELS_OFFLINE: '1' };
  return new Promise((resolve) => {
    execFile(program, [...command, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

it('lists the weights with size, state and licence', { tags: ['long'] }, async () => {
  const { stdout } = await run(NPM, ['list', 'remove-bg']);
  expect(stdout).toMatch(/^u2netp {2}remove-bg: any subject, small {2}4\.6 MB {2}not here {2}Apache-2\.0$/m);
  expect(stdout).toContain('restrict commercial use');
});

it('fails with the reason when weights cannot be fetched', async () => {
  const { code, stderr } = await models('fetch', 'u2netp');
  expect(code).toBe(1);
  expect(stderr).toContain('u2netp: the weights cannot be downloaded');
  expect(stderr).toContain('MODELS_OFFLINE');
});

it('retries weights that failed a moment ago', { tags: ['long'] }, async () => {
  await mkdir(join(dataDir, 'models'), { recursive: true });
  await writeFile(join(dataDir, 'models', 'u2netp.onnx.refused'), 'a source was gone');
  expect((await models('fetch', 'u2netp')).stderr).toContain('MODELS_OFFLINE');
});

it('finds and removes a damaged file', { tags: ['long'] }, async () => {
  await mkdir(join(dataDir, 'models'), { recursive: true });
  await writeFile(join(dataDir, 'models', 'u2netp.onnx'), 'not those bytes');
  expect(await models('verify')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('u2netp  DAMAGED'),
  });
  expect((await models('remove', 'u2netp')).stdout).toContain('u2netp  0.0 MB freed');
  const { code, stdout, stderr } = await models('verify');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => line.endsWith('right'))).toEqual(BUNDLED.map((id) => `${id}  right`));
  expect(lines).toContain('matte  not measured yet: a running service does it');
});

it('names an unknown id', async () => {
  expect((await models('remove', 'no-such')).stderr).toContain('no-such: there are no such weights');
});
