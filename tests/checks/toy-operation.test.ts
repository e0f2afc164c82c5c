import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { LISTS, TOY, TOY_FILES } from '../support/operations/toy-operation.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Lists the named imports of a source: the path of each module from the root, and a name. */
function listImports(file: string, source: string): readonly (readonly [path: string, name: string])[] {
  const imports = source.matchAll(/import (?:type )?\{ ([^}]+) \} from '(\.[^']+)'/g);
  return [...imports].flatMap(([, names = '', path = '']) =>
    names.split(', ').map((name) => [join(dirname(file), path), name] as const),
  );
}

it('the toy operation imports only what exists', async () => {
  const imports = Object.entries(TOY_FILES).flatMap(([file, source]) => listImports(file, source));
  expect(imports.length).toBeGreaterThan(0);
  for (const [path, name] of imports) {
    const source =
      TOY_FILES[path] ?? (existsSync(join(ROOT, path)) ? await readFile(join(ROOT, path), 'utf8') : '');
    expect(source, `${path} exports ${name}`).toMatch(
      new RegExp(`export (async )?(const|function|interface|type|class) ${name}\\b`),
    );
  }
});

it.each(LISTS)('$file has the place for $line', async ({ file, before }) => {
  expect(await readFile(join(ROOT, file), 'utf8')).toContain(before);
});

it('the documentation names the files of a new operation and the lists that it joins', async () => {
  const page = await readFile(join(ROOT, 'docs/development.md'), 'utf8');
  const files = [...Object.keys(TOY_FILES), ...LISTS.map(({ file }) => file)];
  for (const file of files) expect(page).toContain(`- \`${file.replaceAll(`/${TOY.slug}`, '/<tool>')}\``);
});
