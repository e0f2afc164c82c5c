import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describePrices } from '../../lab/generate/doc-tables.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../models/registry.ts';

const ALL: readonly Operation[] = Object.values(OPERATIONS);

const readPage = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8');

/** Lists the engines that a request may name, best first. */
function listEngines({ params }: Operation): readonly string[] {
  const { properties = {} } = z.toJSONSchema(params, { io: 'input' });
  const param = properties.engine ?? properties.model;
  // The first value is the default, which is no engine.
  return typeof param === 'object' ? (param.enum ?? []).slice(1).map(String) : [];
}

it.each(ALL)('README.md has an example of $id with its price', async (operation) => {
  const examples = (await readPage('README.md'))
    .split(/^(?=\*\*)/m)
    .map((text) => text.replaceAll(/\s+/g, ' '));
  const own = examples.filter((text) => text.includes(`/api${operation.path} -H`));
  expect(own).toEqual([expect.stringContaining(`(${describePrices(operation)})`)]);
});

it.each(ALL.filter((operation) => listEngines(operation).length > 0))(
  'docs list the engines of $id, best first',
  async (operation) => {
    const pages = await Promise.all(['docs/engines.md', 'docs/moderation.md'].map(readPage));
    const rows = pages
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    const named = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)[\w.-]+(?=`)/g) ?? []);
    const ids = listEngines(operation);
    expect([...new Set(named.filter((id) => ids.includes(id)))]).toEqual(ids);
  },
);
