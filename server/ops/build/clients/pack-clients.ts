import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildTypeScriptClient } from './build-typescript-client.ts';
import { CLIENTS_PATH, nameClientPackages, readProjectVersion } from './client-packages.ts';
import { writeWheel } from './write-wheel.ts';

/**
 * Makes the packages of both clients, where the docs offer them.
 * @param root folder of the project
 * @param folder of the packages, which is emptied first. Defaults to that of the docs
 */
export async function packClients(
  root: string,
  folder: string = join(root, 'public', CLIENTS_PATH),
): Promise<void> {
  const version = readProjectVersion(root);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await buildTypeScriptClient(root);
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  await promisify(execFile)('npm', pack, { cwd: join(root, 'clients/typescript') });
  await writeWheel(join(root, 'clients/python'), version, join(folder, nameClientPackages(version).python));
}
