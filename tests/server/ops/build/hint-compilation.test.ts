import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hintCompilation } from '../../../../server/ops/build/build.ts';

const HINT = '//# allFunctionsCalledOnLoad\n';
const SCRIPTS = ['main', 'page', 'later'].map((name) => `static/chunks/${name}.js`);
const [main = '', page = '', later = ''] = SCRIPTS;

let build: string;
beforeEach(async () => {
  build = await mkdtemp(join(tmpdir(), 'darkroom-build-'));
  await mkdir(join(build, 'static/chunks'), { recursive: true });
  await mkdir(join(build, 'server/app/(tools)/[tool]'), { recursive: true });
  for (const name of SCRIPTS) await writeFile(join(build, name), `run("${name}")`);
  await writeFile(join(build, 'build-manifest.json'), JSON.stringify({ rootMainFiles: [main] }));
  const manifest = JSON.stringify({
    clientModules: { module: { chunks: [`/_next/${later}`] } },
    entryJSFiles: { '[project]/app/layout': [page], '[project]/app/(tools)/[tool]/page': [page] },
  });
  const path = 'server/app/(tools)/[tool]/page_client-reference-manifest.js';
  await writeFile(join(build, path), `globalThis.__RSC_MANIFEST["/(tools)/[tool]/page"] = ${manifest};`);
});
afterEach(() => rm(build, { recursive: true, force: true }));

const read = (name: string) => readFile(join(build, name), 'utf8');

test('the scripts that a page opens with ask to be compiled as they arrive, and later ones do not', async () => {
  expect(await hintCompilation(build)).toEqual([main, page]);
  expect(await read(main)).toBe(`${HINT}run("${main}")`);
  expect(await read(page)).toBe(`${HINT}run("${page}")`);
  expect(await read(later)).toBe(`run("${later}")`);
});

test('the scripts of the tool that a page loads by itself ask for it, too', async () => {
  const folder = join(build, 'server/app/(tools)/[tool]/page');
  await mkdir(folder, { recursive: true });
  const tool = { id: 1, files: [later, 'static/chunks/tool.css'] };
  await writeFile(join(folder, 'react-loadable-manifest.json'), JSON.stringify({ 1: tool }));
  expect(await hintCompilation(build)).toEqual([main, page, later]);
});

test('a second build in the same folder hints each script once', async () => {
  await hintCompilation(build);
  await hintCompilation(build);
  expect(await read(page)).toBe(`${HINT}run("${page}")`);
});

test('a build whose manifests name no script of a page fails', async () => {
  const manifest = join(build, 'server/app/(tools)/[tool]/page_client-reference-manifest.js');
  await writeFile(manifest, 'globalThis.__RSC_MANIFEST["/(tools)/[tool]/page"] = {};');
  await expect(hintCompilation(build)).rejects.toThrow('names the scripts of a page');
});
