import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { listPackages } from '../../lab/support/list-packages.ts';
import { batchPath } from '../../models/core/operation/batch.ts';
import { formatUsd } from '../../models/core/operation/money.ts';
import { OPERATIONS, SINGLE_OPERATIONS } from '../../models/registry.ts';
import { ENV_NAMES, readEnv } from '../../server/base/env.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, file), 'utf8');

/** Folders and files at the top that texts name. A path below any of them has to exist. */
const TOP =
  /^(?:\.ci|\.github|app|clients|deploy|docs|drizzle|lab|models|public|scripts|server|tests|workers)\//;
/** Files that a build makes. */
const BUILT = ['matte', 'nsfw-mobilenet', 'silero-vad'].map((id) => `models/weights/${id}.onnx`);

async function listPages(): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, 'docs'));
  const guides = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'THIRD-PARTY.md', ...guides];
}

function isNothing(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) ? value.length === 0 : !value;
}

/** Whether a folder is no room: it is made by a command, or hidden. */
function isGenerated(name: string): boolean {
  return name.startsWith('.') || ['node_modules', '__pycache__', 'dist'].includes(name);
}

/** Lists the other rooms of `server/` that the modules of one import. */
async function listImportedRooms(room: string): Promise<readonly string[]> {
  const folder = join(ROOT, 'server', room);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const rooms = new Set<string>();
  for (const file of files) {
    const text = await read(join('server', room, file));
    for (const [, from = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const path = relative(join(ROOT, 'server'), resolve(folder, dirname(file), from));
      if (path.includes('/') && !path.startsWith('..')) rooms.add(path.split('/')[0] ?? '');
    }
  }
  rooms.delete(room);
  return [...rooms];
}

it('describes every setting and nothing else', async () => {
  const rows = (await read('docs/configuration.md')).matchAll(/^\| `([A-Z0-9_]+)` /gm);
  const described = [...rows].map(([, name]) => name);
  expect(described.toSorted()).toEqual([...ENV_NAMES].toSorted());
});

it('the security policy names only settings that exist', async () => {
  const named = [...(await read('SECURITY.md')).matchAll(/`([A-Z]+(?:_[A-Z0-9]+)+)`/g)].map(
    ([, name]) => name,
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !ENV_NAMES.includes(name ?? ''))).toEqual([]);
});

it.each(Object.values(OPERATIONS))('shows how to call $id, and its prices', async (operation) => {
  const paths = operation.batch ? [operation.path, batchPath(operation)] : [operation.path];
  for (const file of ['README.md', 'docs/api.md']) {
    const text = await read(file);
    for (const path of paths) expect(text).toMatch(new RegExp(`${path}[\` ]`));
    for (const { amount, per } of Object.values(operation.rates)) {
      expect(text).toMatch(new RegExp(`\\$${formatUsd(amount).replace('.', '\\.')} an? ${per}`));
    }
  }
});

it('the settings name every operation by the units of its price', async () => {
  const [, units = ''] = /Units:(.*?)\. Pages/s.exec(await read('docs/configuration.md')) ?? [];
  const named = [...units.matchAll(/`([a-z]+)`\s+\(([^)]*)\)/g)].flatMap(([, unit, operations = '']) =>
    [...operations.matchAll(/`([^`]+)`/g)].map(([, id]) => `${unit}: ${id}`),
  );
  // A pipeline has the prices of its steps.
  const expected = Object.values(SINGLE_OPERATIONS).flatMap(({ id, rates }) =>
    Object.keys(rates).map((unit) => `${unit}: ${id}`),
  );
  expect(named.toSorted()).toEqual(expected.toSorted());
});

it('.env.example has every setting, a line on its meaning, and its default', async () => {
  const lines = (await read('.env.example')).matchAll(/^# .+\n# ([A-Z0-9_]+)=("?)(.*)\2$/gm);
  const example = Object.fromEntries([...lines].map(([, name, , value]) => [name, value]));
  const defaults = readEnv({});
  expect(Object.keys(example).toSorted()).toEqual([...ENV_NAMES].toSorted());
  expect(readEnv(example)).toEqual(defaults);
  const withDefault = Object.entries(defaults).filter(([, value]) => !isNothing(value));
  const missing = withDefault.filter(([name]) => example[name] === '').map(([name]) => name);
  expect(missing.toSorted()).toEqual(['PUBLIC_URL', 'RUNNER_CONCURRENCY', 'RUNNER_MEMORY_MB']);
});

it('THIRD-PARTY.md lists the packages of the lockfile; `npm run third-party` writes it', async () => {
  const list = listPackages(await read('package-lock.json'));
  expect((await read('THIRD-PARTY.md')).split('## Packages\n\n')[1]).toBe(list);
});

it.each([
  'app',
  'app/studio',
  'clients',
  'lab',
  'lab/training',
  'models',
  'scripts',
  'server',
  'tests',
  'workers',
])('the page about the architecture says what each room of %s/ is for', async (folder) => {
  const text = await read('docs/architecture.md');
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const rooms = entries.filter((entry) => entry.isDirectory() && !isGenerated(entry.name));
  expect(rooms.length).toBeGreaterThan(0);
  // One row stands for all operations: their folders follow from the registry.
  const isOperation = (path: string) => existsSync(join(ROOT, path, 'operation.ts'));
  const paths = rooms.map(({ name }) => `${folder}/${name}/`).filter((path) => !isOperation(path));
  expect(paths.filter((path) => !text.includes(`\`${path}`))).toEqual([]);
});

it('the page about the architecture names every room of server/ that another one imports', async () => {
  const rows = (await read('docs/architecture.md')).matchAll(/^\| (`server\/.*?) \| .* \| (.*) \|$/gm);
  const missing: string[] = [];
  for (const [, rooms = '', allowed = ''] of rows) {
    for (const [, room = ''] of rooms.matchAll(/`server\/([a-z-]+)\/`/g)) {
      const imported = await listImportedRooms(room);
      const unnamed = imported.filter((name) => name !== 'base' && !allowed.includes(`\`${name}\``));
      missing.push(...unnamed.map((name) => `${room} imports ${name}`));
    }
  }
  expect(missing).toEqual([]);
});

it('links only to files that exist', async () => {
  const broken: string[] = [];
  for (const file of [...(await listPages()), 'CHANGELOG.md']) {
    for (const [, target = ''] of (await read(file)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      if (!existsSync(join(ROOT, dirname(file), target))) broken.push(`${file}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

it('names only paths that exist', async () => {
  const broken: string[] = [];
  let paths = 0;
  for (const file of await listPages()) {
    for (const [, path = ''] of (await read(file)).matchAll(/`([\w.()[\]/-]+)`/g)) {
      if (!TOP.test(path) || BUILT.includes(path)) continue;
      paths += 1;
      // Tables of tests leave the folder and the extension out.
      const isFound = [path, `tests/${path}.test.ts`].some((name) => existsSync(join(ROOT, name)));
      if (!isFound) broken.push(`${file}: ${path}`);
    }
  }
  expect(paths).toBeGreaterThan(0);
  expect(broken).toEqual([]);
});
