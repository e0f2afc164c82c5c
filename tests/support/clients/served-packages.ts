import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Paths of the packages of the clients. */
export interface ServedPackages {
  readonly npm: string;
  readonly wheel: string;
}

/**
 * Downloads the packages that the docs of a running service link.
 * @param folder receives both files
 * @throws Error unless there is one for npm and one for pip
 */
export async function downloadPackages(origin: string, folder: string): Promise<ServedPackages> {
  const html = await (await fetch(`${origin}/docs/clients`)).text();
  const links = [...html.matchAll(/href="(\/docs\/clients\/[^"]+\.(?:tgz|whl))"/g)].map(
    ([, path = '']) => path,
  );
  const paths = [...new Set(links)].toSorted();
  const [wheel, npm] = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(origin + path);
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      const file = join(folder, path.split('/').at(-1) ?? '');
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
      return file;
    }),
  );
  if (paths.length === 2 && npm?.endsWith('.tgz') && wheel?.endsWith('.whl')) return { npm, wheel };
  throw new Error(`the docs link ${paths.join(', ')}`);
}

/** Installs a package into an empty project in a folder, without a network and with an empty cache. */
export async function installPackage(folder: string, archive: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"name":"empty","type":"module"}');
  const isolated = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...isolated, archive], { cwd: folder });
}
