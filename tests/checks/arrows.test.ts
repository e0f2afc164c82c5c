import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const { forbidden }: { readonly forbidden: readonly { readonly name: string }[] } = createRequire(
  import.meta.url,
)(CONFIG);

/** Small tree that follows every rule. */
const VALID_TREE: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}',
  'node_modules/zod/index.js': 'export const z = 1;',
  'node_modules/mediabunny/index.js': 'export const input = 1;',
  'node_modules/culori/index.js': 'export const parse = 1;',
  'node_modules/drizzle-orm/index.js': 'export const sql = 1;',
  'node_modules/react/index.js': 'export default 1;',
  'node_modules/@modelcontextprotocol/sdk/index.js': 'export const server = 1;',
  'models/registry.ts': "export { operation } from './operations/remove-bg/operation.ts';",
  'models/core/operation.ts': "import { z } from 'zod';\nexport const operation = z;",
  'models/core/open-media.ts': "export const open = () => import('mediabunny');",
  'models/kernels/resize.ts': "import { parse } from 'culori';\nexport const resize = parse;",
  'models/media/read-png.ts': "export { resize } from '../kernels/resize.ts';",
  'models/matting/find-subject.ts': "export { resize } from '../media/read-png.ts';",
  'models/moderation/score.ts': 'export const score = 1;',
  'models/acceptance/samples.ts': 'export const samples = 1;',
  'models/operations/convert/run.ts': 'export const run = 1;',
  'models/operations/convert/operation.ts': "export const load = () => import('./run.ts');",
  'models/operations/remove-bg/operation.ts': "export { operation } from '../../core/operation.ts';",
  'models/operations/remove-bg/formats.ts': 'export const formats = 1;',
  'drizzle/schema.ts': "import { sql } from 'drizzle-orm';\nexport const schema = sql;",
  'workers/operation/run-operation.ts':
    "import { operation } from '../../models/registry.ts';\nexport const bridge = operation;",
  'workers/runtime/web-runtime.ts': 'export const runtime = 1;',
  'server/base/db.ts': "import { schema } from '../../drizzle/schema.ts';\nexport const db = schema;",
  'server/runtime/node-runtime.ts': "export { db } from '../base/db.ts';",
  'server/io/storage/index.ts': "export { read } from './read.ts';",
  'server/io/storage/read.ts': "export { db as read } from '../../base/db.ts';",
  'server/money/wallet/index.ts': "export { hold } from './hold.ts';",
  'server/money/wallet/hold.ts': "import { db } from '../../base/db.ts';\nexport const hold = db;",
  'server/money/receipts.ts':
    "export { read } from '../io/storage/index.ts';\nexport { hold } from './wallet/hold.ts';",
  'server/identity/keys/index.ts':
    "export { hold } from '../../money/wallet/index.ts';\nexport { read } from '../../money/receipts.ts';",
  'server/identity/keys/create-key.ts': 'export const key = 1;',
  'server/jobs/index.ts': "export { hold as submit } from '../money/wallet/index.ts';",
  'server/jobs/runner/index.ts': "export { claim } from './claim.ts';",
  'server/jobs/runner/claim.ts': 'export const claim = 1;',
  'server/api/submit/submit.ts':
    "export { submit } from '../../jobs/index.ts';\nexport { claim } from '../../jobs/runner/index.ts';",
  'server/api/trpc/router.ts': "import { db } from '../../base/db.ts';\nexport const router = db;",
  'server/ops/web.ts': "export { submit } from '../api/submit/submit.ts';",
  'clients/typescript/src/node.ts': "import 'node:fs';\nexport const openFile = 1;",
  'clients/typescript/src/client.ts': 'export const client = 1;',
  'clients/typescript/src/cli/main.ts':
    "import 'node:fs';\nimport { client } from '../client.ts';\nexport const main = client;",
  'clients/typescript/src/cli/mcp-sdk.ts': "export { server } from '@modelcontextprotocol/sdk/index.js';",
  'app/page.tsx': `
    import { operation } from '../models/registry.ts';
    import { Prices } from './prices.tsx';
    import { Tool } from './studio/tool.tsx';
    export const page = [operation, Prices, Tool];`,
  'app/prices.tsx': `
    import 'node:path';
    import { z } from 'zod';
    import { submit } from '../server/jobs/index.ts';
    export const Prices = [z, submit];`,
  'app/studio/tool.tsx': `
    /** A tool. */
    'use client';
    import react from 'react';
    import type { Prices } from '../prices.tsx';
    import type { router } from '../../server/api/trpc/router.ts';
    import { start } from './start.ts';
    export const Tool = [react, start, null as typeof Prices | typeof router];`,
  'app/studio/start.ts': `
    import { formats } from '../../models/operations/remove-bg/formats.ts';
    import { bridge } from '../../workers/operation/run-operation.ts';
    import { client } from '../../clients/typescript/src/client.ts';
    export const start = [formats, bridge, client, () => import('./later.ts')];`,
  'app/studio/later.ts': 'export const later = 1;',
  'app/dashboard/keys.ts': 'export const keys = 1;',
  'app/studio/runs/fit.ts': 'export const fit = 1;',
  'app/studio/tool-frame/frame.ts': "import { fit } from '../runs/fit.ts';\nexport const frame = fit;",
  'app/studio/second-tool/second.ts':
    "import { frame } from '../tool-frame/frame.ts';\nexport const second = frame;",
  'app/studio/second-tool/tool.ts':
    "import type { Card } from '../tools/tool.ts';\nexport const card: Card = 1;",
  'app/studio/tools/tool.ts': 'export type Card = 1;',
  'app/studio/tools/tools.ts': "export { card } from '../second-tool/tool.ts';",
  'scripts/account.ts':
    "import { hold } from '../server/money/wallet/index.ts';\nexport const account = hold;",
  'lab/measure.ts': "export { hold } from '../server/money/wallet/hold.ts';",
  'tests/support/images.ts':
    "import { account } from '../../scripts/account.ts';\nexport const image = account;",
};

/** Modules without their own 'use client' that a client module imports on demand. */
const LATE = 'app/studio/late';

/** Rule, folder or file of the planted fault, and the fault. */
const FAULTS: readonly (readonly [rule: string, place: string, fault: string])[] = [
  ['models-local', 'models/core', "import { db } from '../../server/base/db.ts';"],
  ['models-local', 'models/core', "import type { db } from '../../server/base/db.ts';"],
  ['models-packages', 'models/core', "import React from 'react';"],
  ['models-no-node', 'models/core', "import fs from 'node:fs';"],
  ['models-no-node', 'drizzle', "import fs from 'node:fs';"],
  ['models-no-node', 'workers/runtime', "import fs from 'node:fs';"],
  ['drizzle-local', 'drizzle', "import { operation } from '../models/registry.ts';"],
  ['drizzle-packages', 'drizzle', "import { z } from 'zod';"],
  ['workers-local', 'workers/runtime', "import { db } from '../../server/base/db.ts';"],
  ['server-local', 'server/base', "import { page } from '../../app/page.tsx';"],
  ['server-local', 'server/ops', "import { account } from '../../scripts/account.ts';"],
  ['clients-local', 'clients/typescript/src', "import { operation } from '../../../models/registry.ts';"],
  ['clients-local', 'clients/typescript/src', "import { page } from '../../../app/page.tsx';"],
  ['clients-packages', 'clients/typescript/src', "import { z } from 'zod';"],
  ['client-bundle', 'clients/typescript/src/cli/mcp-sdk.ts', "import { z } from 'zod';"],
  ['client-no-node', 'clients/typescript/src', "import path from 'node:path';"],
  ['districts', 'server/base', "import { read } from '../io/storage/index.ts';"],
  ['districts', 'server/runtime', "import { read } from '../io/storage/index.ts';"],
  ['districts', 'server/io/storage', "import { runtime } from '../../runtime/node-runtime.ts';"],
  ['districts', 'server/money/spending', "import { hold } from '../../identity/keys/index.ts';"],
  ['districts', 'server/identity/keys', "import { submit } from '../../jobs/index.ts';"],
  ['districts', 'server/jobs/runner', "import { submit } from '../../api/submit/submit.ts';"],
  ['districts', 'server/api/submit', "import { web } from '../../ops/web.ts';"],
  ['rooms-of-models', 'models/core', "import { resize } from '../kernels/resize.ts';"],
  ['rooms-of-models', 'models/kernels', "import { resize } from '../media/read-png.ts';"],
  ['rooms-of-models', 'models/media', "import { resize } from '../matting/find-subject.ts';"],
  ['rooms-of-models', 'models/matting', "import { score } from '../moderation/score.ts';"],
  ['rooms-of-models', 'models/moderation', "import { samples } from '../acceptance/samples.ts';"],
  ['rooms-of-models', 'models/acceptance', "import { formats } from '../operations/remove-bg/formats.ts';"],
  ['rooms-of-models', 'models/test-mode', "import { operation } from '../registry.ts';"],
  ['rooms-of-models', 'models/operations/convert', "import { operation } from '../../registry.ts';"],
  ['wallet-knows-no-jobs', 'server/money/wallet', "import { submit } from '../../jobs/index.ts';"],
  ['wallet-knows-no-jobs', 'server/money/wallet', "import { read } from '../../io/storage/index.ts';"],
  ['rooms-by-their-door', 'app', "import { hold } from '../server/money/wallet/hold.ts';"],
  ['rooms-by-their-door', 'scripts', "import { hold } from '../server/money/wallet/hold.ts';"],
  ['rooms-by-their-door', 'server/jobs', "import { hold } from '../money/wallet/hold.ts';"],
  ['rooms-by-their-door', 'server/money/spending', "import { read } from '../../io/storage/read.ts';"],
  ['rooms-by-their-door', 'server/api/submit', "import { claim } from '../../jobs/runner/claim.ts';"],
  ['rooms-by-their-door', 'server/api/submit', "import { key } from '../../identity/keys/create-key.ts';"],
  ...['app', 'drizzle', 'models/core', 'server/ops', 'workers/runtime', 'clients/typescript/src'].map(
    (place) =>
      [
        'product-without-lab',
        place,
        `import { hold } from '${'../'.repeat(place.split('/').length)}lab/measure.ts';`,
      ] as const,
  ),
  ['run-only-through-operation', 'app', "import { run } from '../models/operations/convert/run.ts';"],
  ['run-only-through-operation', LATE, "void import('../../../models/operations/convert/run.ts');"],
  ['run-only-through-operation', 'lab', "import { run } from '../models/operations/convert/run.ts';"],
  ['only-tests-know-tests', 'scripts', "import { image } from '../tests/support/images.ts';"],
  ['only-tests-know-tests', 'lab', "import { image } from '../tests/support/images.ts';"],
  ['app-server-local', 'app', "import { schema } from '../drizzle/schema.ts';"],
  ['app-server-local', 'app', "import { bridge } from '../workers/operation/run-operation.ts';"],
  ['app-server-local', 'app', "import { client } from '../clients/typescript/src/client.ts';"],
  ['app-server-packages', 'app', "import { sql } from 'drizzle-orm';"],
  ['app-client-local', 'app/direct.tsx', "'use client';\nimport type { db } from '../server/base/db.ts';"],
  ['app-client-local', LATE, "import { db } from '../../../server/base/db.ts';"],
  ['app-client-local', LATE, "import { schema } from '../../../drizzle/schema.ts';"],
  ['app-client-local', LATE, "import { runtime } from '../../../workers/runtime/web-runtime.ts';"],
  ['app-client-local', LATE, "import { openFile } from '../../../clients/typescript/src/node.ts';"],
  ['app-client-local', LATE, "import { main } from '../../../clients/typescript/src/cli/main.ts';"],
  ['app-client-trpc-types', LATE, "import { router } from '../../../server/api/trpc/router.ts';"],
  ['app-client-packages', LATE, "import { z } from 'zod';"],
  ['app-client-no-node', LATE, "import path from 'node:path';"],
  ['operations-apart', 'models/operations/convert', "import { formats } from '../remove-bg/formats.ts';"],
  ['page-layers', 'app/ui', "import { fit } from '../studio/runs/fit.ts';"],
  ['page-layers', 'app/ui', "import { keys } from '../dashboard/keys.ts';"],
  ['page-layers', 'app/studio/home', "import { keys } from '../../dashboard/keys.ts';"],
  ['page-layers', 'app/(account)', "import { keys } from '../dashboard/keys.ts';"],
  ['page-layers', 'app/studio/runs', "import { frame } from '../tool-frame/frame.ts';"],
  ['page-layers', 'app/studio/first-tool', "import { second } from '../second-tool/second.ts';"],
  ['page-layers', 'app/studio/first-tool/tool.ts', "import { second } from '../second-tool/second.ts';"],
  ['page-layers', 'app/studio/tools', "import { second } from '../second-tool/second.ts';"],
  ['no-circles-of-folders', 'server/money/wallet', "import '../receipts/index.ts';"],
  ['no-circles', 'models/operations/convert/run.ts', "import { load } from './operation.ts';"],
];

const PLANTED = FAULTS.map(([rule, place, fault], index) => ({
  rule,
  file: /\.tsx?$/.test(place) ? place : `${place}/planted-${index}.ts`,
  fault,
}));

interface Violation {
  /** Module with the forbidden import, or folder of the circle. */
  readonly file: string;
  readonly rule: string;
}

let tree: string;
let inValidTree: readonly Violation[];
let inInvalidTree: readonly Violation[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'darkroom-arrows-'));
  for (const [file, source] of Object.entries(VALID_TREE)) await write(file, source);
  inValidTree = await violations();
  for (const { file, fault } of PLANTED) await write(file, `${fault}\nexport const run = 1;`);
  const late = PLANTED.filter(({ file }) => file.startsWith(LATE));
  const imports = late.map(({ file }) => `void import('./late/${basename(file)}');`);
  await write('app/studio/loader.ts', ["'use client';", ...imports].join('\n'));
  inInvalidTree = await violations();
});
afterAll(() => rm(tree, { recursive: true, force: true }));

async function write(file: string, source: string): Promise<void> {
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), source);
}

/** Lists the violations, by the same tool and configuration as `npm run check:arrows`. */
async function violations(): Promise<readonly Violation[]> {
  const folders = ['clients', 'models', 'drizzle', 'workers', 'server', 'app', 'scripts', 'lab'];
  const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [cruiser, '--config', CONFIG, '--output-type', 'json', ...folders];
  const json = await new Promise<string>((done) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (_error, stdout) => done(stdout));
  });
  const { summary } = JSON.parse(json) as {
    summary: { violations: { from: string; rule: { name: string }; cycle?: { name: string }[] }[] };
  };
  return summary.violations.flatMap(({ from, rule, cycle }) =>
    (cycle?.map(({ name }) => name) ?? [from]).map((file) => ({ file, rule: rule.name })),
  );
}

it('plants a fault against every rule', () => {
  const rules = new Set(forbidden.map(({ name }) => name));
  expect(new Set(FAULTS.map(([rule]) => rule))).toEqual(rules);
});

it('finds no violation in a tree that follows every rule', () => {
  expect(inValidTree).toEqual([]);
});

it.each(PLANTED)('finds the planted violation of $rule in $file', ({ file, rule }) => {
  // A rule about folders names the folder.
  const place = rule === 'no-circles-of-folders' ? dirname(file) : file;
  expect(inInvalidTree).toContainEqual({ file: place, rule });
});
