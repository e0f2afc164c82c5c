import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ChildFault,
  ChildFolder,
  chooseIsolation,
  type IsolationLevel,
  isolateChild,
} from '../../../server/base/children/isolation.ts';
import { createLogger } from '../../../server/base/log.ts';
import { createProber } from '../../../server/io/probing/index.ts';
import { type ChildPool, createChildPool } from '../../../server/jobs/runs/child-pool.ts';
import { secureDataDir } from '../../../server/ops/embedded/index.ts';
import { operationsModule } from '../../support/service/runner-harness.ts';
import { removeFolder } from '../../support/setup/remove-folder.ts';

const IS_ROOT = process.getuid?.() === 0;
const LIMITS = { runSecondsMax: 60, memoryBytesMax: 1_000_000_000 };
const log = createLogger('silent', 'test');

let dataDir: string;
let pool: ChildPool | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'isolation-'));
  await mkdir(join(dataDir, 'storage'), { mode: 0o700 });
  await writeFile(join(dataDir, 'secrets.key'), 'hush', { mode: 0o600 });
  await writeFile(join(dataDir, 'storage/other'), 'of another account', { mode: 0o600 });
  await mkdir(join(dataDir, 'children/of-another'), { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, 'children/of-another/input'), 'of another run');
  await writeFile(join(dataDir, 'storage/input'), 'some bytes', { mode: 0o600 });
});
afterEach(async () => {
  pool?.close();
  await removeFolder(dataDir);
});

function works(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const CAN_BUBBLE = works('bwrap', '--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', '--', 'true');

/** Runs the test operation in an isolated child. */
async function run(level: IsolationLevel, params: object) {
  const isolation = await chooseIsolation({ DATA_DIR: dataDir, MODEL_MIRROR: undefined });
  const weights = { fetch: async () => {}, noteUse: () => {} };
  pool = createChildPool({
    operationsModule,
    memoryBytesMax: 2_000_000_000,
    size: 1,
    log,
    isolation: { ...isolation, level },
    weights,
  });
  const outputDirectory = join(dataDir, 'out');
  await mkdir(outputDirectory, { mode: 0o700 });
  const request = {
    operationId: 'test-run',
    params,
    inputPath: join(dataDir, 'storage/input'),
    attachmentPaths: {},
    outputDirectory,
  };
  const options = { limits: LIMITS, signal: new AbortController().signal, onProgress: () => {} };
  return { end: await pool.run(request, options), outputDirectory };
}

describe.each([
  ['user', !IS_ROOT],
  ['bubblewrap', !CAN_BUBBLE],
] as const)('a child of the level %s', (level, lacks) => {
  test.skipIf(lacks)('reads neither its parent nor the key, nor what is stored', async () => {
    const paths = [
      `/proc/${process.pid}/environ`,
      `/proc/${process.ppid}/environ`,
      join(dataDir, 'secrets.key'),
      join(dataDir, 'storage/other'),
      join(dataDir, 'storage'),
      join(dataDir, 'children/of-another/input'),
    ];
    const { end } = await run(level, { behaviour: 'read', paths: [...paths, '/etc/passwd'] });
    const found = (end.kind === 'done' ? end.engine : JSON.stringify(end)).split(',');
    expect(found.at(-1)).toBe('read');
    for (const [at, result] of found.slice(0, -1).entries())
      expect([paths[at], result]).not.toContain('read');
  });

  test.skipIf(lacks)('gets its input, and gives its result to its parent alone', async () => {
    const { end, outputDirectory } = await run(level, { behaviour: 'copy' });
    expect(end).toMatchObject({ kind: 'done', files: [{ name: 'copy.bin', bytes: 10 }] });
    const path = join(outputDirectory, 'copy.bin');
    expect(await readFile(path, 'utf8')).toBe('some bytes');
    expect(await stat(path)).toMatchObject({ uid: process.getuid?.() });
    expect(await readFile(join(dataDir, 'storage/input'), 'utf8')).toBe('some bytes');
  });

  test.skipIf(lacks)('is told apart when it crashes, and leaves no folder', async () => {
    expect((await run(level, { behaviour: 'crash' })).end).toMatchObject({
      kind: 'crashed',
      signal: 'SIGSEGV',
    });
    pool?.close();
    await expect.poll(() => readdir(join(dataDir, 'children'))).toEqual(['of-another']);
  });

  test.skipIf(lacks)('is measured by its own memory', async () => {
    expect((await run(level, { behaviour: 'hog' })).end).toMatchObject({ kind: 'over-memory' });
  });

  test.skipIf(lacks)('probes a file that only its parent can read', async () => {
    const { env } = await chooseIsolation({ DATA_DIR: dataDir, MODEL_MIRROR: undefined });
    const prober = createProber({ operationsModule, isolation: { level, env } });
    // As a command of an operator does while the service runs.
    await secureDataDir(dataDir);
    const options = { owner: 'a', signal: new AbortController().signal, log };
    const request = { path: join(dataDir, 'storage/input'), media: ['image'] as const };
    await expect(prober.probe(request, options)).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('where less is installed', () => {
  const env = () => ({ DATA_DIR: join(dataDir, 'hidden/data'), MODEL_MIRROR: undefined });
  beforeEach(async () => {
    // Other users may not pass here: root runs children as its own user, too.
    await mkdir(env().DATA_DIR, { recursive: true });
    await chmod(join(dataDir, 'hidden'), 0o700);
    await mkdir(join(dataDir, 'bin'));
  });
  afterEach(() => vi.unstubAllEnvs());

  /** Leaves nothing on the path but some programs. */
  const install = async (...programs: string[]) => {
    for (const name of programs) {
      const path = execFileSync('which', [name], { encoding: 'utf8' }).trim();
      await symlink(path, join(dataDir, 'bin', name));
    }
    vi.stubEnv('PATH', join(dataDir, 'bin'));
  };

  test('a child can gain no rights', async () => {
    await install('setpriv', 'true', 'cat');
    const isolation = await chooseIsolation(env());
    expect(isolation.level).toBe('no-new-privileges');
    const [program = '', ...args] = isolateChild(isolation).command;
    const status = execFileSync(program, [...args, 'cat', '/proc/self/status'], { encoding: 'utf8' });
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  });

  test('a child has the rights of its parent, and the level says so', async () => {
    await install('true');
    const isolation = await chooseIsolation(env());
    expect(isolation.level).toBe('none');
    expect(isolateChild(isolation)).toEqual({ command: [] });
  });
});

test.skipIf(!IS_ROOT)(
  'root gets another user id where the checkout and DATA_DIR let it pass, else the next level',
  async () => {
    const env = { DATA_DIR: dataDir, MODEL_MIRROR: undefined };
    expect((await chooseIsolation(env)).level).toBe('user');
    expect((await stat(dataDir)).mode & 0o777).toBe(0o710);
    const hidden = join(dataDir, 'hidden');
    await mkdir(join(hidden, 'data'), { recursive: true });
    await chmod(hidden, 0o700);
    const { level } = await chooseIsolation({ DATA_DIR: join(hidden, 'data'), MODEL_MIRROR: undefined });
    expect(level).toBe(CAN_BUBBLE ? 'bubblewrap' : 'no-new-privileges');
  },
);

test.each([
  [
    'a link to a file of the parent',
    async (out: string) => symlink(join(dataDir, 'secrets.key'), join(out, 'result')),
    'result',
  ],
  [
    'a file of another size',
    async (out: string) => writeFile(join(out, 'result'), 'more than that'),
    'result',
  ],
  ['a path', async () => {}, '../secrets.key'],
])('a child that names %s as its result has it refused', async (_, make, name) => {
  const own = join(dataDir, 'own');
  await mkdir(own);
  const folder = new ChildFolder(own);
  const out = await folder.makeFolder('out');
  await make(out);
  const to = join(dataDir, 'taken');
  await mkdir(to);
  await expect(folder.take(out, [{ name, bytes: 4 }], to)).rejects.toThrow(ChildFault);
  expect(await readdir(to)).toEqual([]);
  expect(await readFile(join(dataDir, 'secrets.key'), 'utf8')).toBe('hush');
});
