import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { batchPath } from '../../models/operation/batch.ts';
import { formatUsd } from '../../models/operation/money.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { ENV_NAMES } from '../../server/base/env.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, file), 'utf8');

it('describes every setting and nothing else', async () => {
  const rows = (await read('docs/configuration.md')).matchAll(/^\| `([A-Z0-9_]+)` /gm);
  const described = [...rows].map(([, name]) => name);
  expect(described.toSorted()).toEqual([...ENV_NAMES].toSorted());
});

it('the security policy names only settings that exist', async () => {
  const named = [...(await read('SECURITY.md')).matchAll(/`([A-Z]+(?:_[A-Z0-9]+)+)`/g)].map(
    ([, name]) => name,
  );
  expect(named.length).toBeGreaterThan(10);
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

it('links only to files that exist', async () => {
  const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
  const broken: string[] = [];
  for (const file of ['README.md', 'SECURITY.md', ...pages.map((name) => `docs/${name}`)]) {
    for (const [, target = ''] of (await read(file)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      if (!existsSync(join(ROOT, dirname(file), target))) broken.push(`${file}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});
