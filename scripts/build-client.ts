import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** `npm run build-client`: writes the JavaScript and the types of the TypeScript client to its folder `dist`. */
const FOLDER = join(import.meta.dirname, '../clients/typescript');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

await rm(join(FOLDER, 'dist'), { recursive: true, force: true });
const flags = ['--noEmit', 'false', '--declaration', '--outDir', 'dist'];
const { status } = spawnSync(process.execPath, [compiler, '-p', '.', ...flags], {
  cwd: FOLDER,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
