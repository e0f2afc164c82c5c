import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Creates an environment of Python in a folder, and installs a wheel into it without a network.
 * @returns the path of its `python3`, which has the wheel and the machine's own httpx
 */
export async function installWheel(folder: string, wheel: string): Promise<string> {
  const environment = join(folder, 'env');
  // httpx is the machine's own: nothing is fetched.
  await run(await findPython(), ['-m', 'venv', '--system-site-packages', environment]);
  const python = join(environment, 'bin/python3');
  await run(python, ['-m', 'pip', 'install', '--no-index', '--no-input', wheel], { cwd: folder });
  return python;
}

/** Returns the first Python on the path that has httpx. @throws Error that says what to install */
async function findPython(): Promise<string> {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'python3'));
  for (const place of places) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    );
    if (isThere && (await run(place, ['-c', 'import httpx, venv']).catch(() => null))) return place;
  }
  throw new Error(
    'No python3 on the path has httpx and venv. On Debian: apt install python3-httpx python3-venv',
  );
}
