import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** A small house that keeps every rule. */
const SOUND: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}',
  'node_modules/zod/index.js': 'export const z = 1;',
  'node_modules/drizzle-orm/index.js': 'export const sql = 1;',
  'node_modules/react/index.js': 'export default 1;',
  'models/registry.ts': "import { z } from 'zod';\nexport const registry = z;",
  'models/media-convert-image/run.ts': 'export const run = 1;',
  'models/media-convert-image/operation.ts': "export const load = () => import('./run.ts');",
  'drizzle/schema.ts': "import { sql } from 'drizzle-orm';\nexport const schema = sql;",
  'workers/bridge.ts': "import { registry } from '../models/registry.ts';\nexport const bridge = registry;",
  'server/db.ts': "import { schema } from '../drizzle/schema.ts';\nexport const db = schema;",
  'server/wallet/index.ts': "export { hold } from './hold.ts';",
  'server/wallet/hold.ts': "import { db } from '../db.ts';\nexport const hold = db;",
  'server/jobs/index.ts': "import { hold } from '../wallet/index.ts';\nexport const submit = hold;",
  'app/page.tsx': "import { registry } from '../models/registry.ts';\nexport const page = registry;",
  'scripts/account.ts': "import { hold } from '../server/wallet/index.ts';\nexport const account = hold;",
};

const FAULTS: [rule: string, file: string, source: string][] = [
  ['models-local', 'models/planted.ts', "import { db } from '../server/db.ts';\nexport const x = db;"],
  [
    'models-local',
    'models/planted.ts',
    "import type { db } from '../server/db.ts';\nexport type X = typeof db;",
  ],
  ['models-packages', 'models/planted.ts', "import React from 'react';\nexport const x = React;"],
  ['models-no-node', 'models/planted.ts', "import fs from 'node:fs';\nexport const x = fs;"],
  [
    'drizzle-local',
    'drizzle/planted.ts',
    "import { registry } from '../models/registry.ts';\nexport const x = registry;",
  ],
  ['workers-local', 'workers/planted.ts', "import { db } from '../server/db.ts';\nexport const x = db;"],
  ['server-local', 'server/planted.ts', "import { page } from '../app/page.tsx';\nexport const x = page;"],
  [
    'wallet-knows-no-jobs',
    'server/wallet/planted.ts',
    "import { submit } from '../jobs/index.ts';\nexport const x = submit;",
  ],
  [
    'entities-by-their-index',
    'server/jobs/planted.ts',
    "import { hold } from '../wallet/hold.ts';\nexport const x = hold;",
  ],
  [
    'entities-by-their-index',
    'scripts/planted.ts',
    "import { hold } from '../server/wallet/hold.ts';\nexport const x = hold;",
  ],
  [
    'run-only-through-operation',
    'app/planted.ts',
    "import { run } from '../models/media-convert-image/run.ts';\nexport const x = run;",
  ],
  [
    'app-never-database',
    'app/planted.ts',
    "import { schema } from '../drizzle/schema.ts';\nexport const x = schema;",
  ],
  [
    'no-circles',
    'models/media-convert-image/run.ts',
    "import { load } from './operation.ts';\nexport const run = load;",
  ],
];

let house: string;
beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'darkroom-arrows-'));
  for (const [file, source] of Object.entries(SOUND)) await write(file, source);
});
afterAll(() => rm(house, { recursive: true, force: true }));

async function write(file: string, source: string): Promise<void> {
  await mkdir(dirname(join(house, file)), { recursive: true });
  await writeFile(join(house, file), source);
}

/** The names of the rules that the house breaks, by the very tool and configuration of `npm run check:arrows`. */
async function brokenRules(): Promise<string[]> {
  const folders = ['models', 'drizzle', 'workers', 'server', 'app', 'scripts'];
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [cruiser, '--config', config, '--output-type', 'json', ...folders];
  const json = await new Promise<string>((done) => {
    execFile(process.execPath, args, { cwd: house, maxBuffer: 1e8 }, (_error, stdout) => done(stdout));
  });
  const { summary } = JSON.parse(json) as { summary: { violations: { rule: { name: string } }[] } };
  return summary.violations.map((violation) => violation.rule.name);
}

it('finds nothing in a sound house', async () => {
  expect(await brokenRules()).toEqual([]);
});

it.each(FAULTS)('finds a planted fault: %s in %s', async (rule, file, source) => {
  await write(file, source);
  try {
    expect(await brokenRules()).toContain(rule);
  } finally {
    if (file in SOUND) await write(file, SOUND[file] ?? '');
    else await rm(join(house, file));
  }
});
