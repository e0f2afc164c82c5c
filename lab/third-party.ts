import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listPackages } from './support/list-packages.ts';

/** `npm run third-party`: writes the list of packages in THIRD-PARTY.md again, from the lockfile. */
const root = resolve(import.meta.dirname, '..');
const file = join(root, 'THIRD-PARTY.md');
const [prose = ''] = (await readFile(file, 'utf8')).split(/(?<=^## Packages\n)/m);
await writeFile(file, `${prose}\n${listPackages(await readFile(join(root, 'package-lock.json'), 'utf8'))}`);
