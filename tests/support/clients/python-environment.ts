import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** httpx and mypy with all that they need, by their hashes. */
const REQUIREMENTS = 'tests/clients/python/requirements.txt';

/**
 * Creates an environment of Python in a folder, with what tests need and a wheel.
 * @returns the path of its `python3`
 * @throws Error that names the command which failed
 */
export async function installWheel(folder: string, wheel: string): Promise<string> {
  const environment = join(folder, 'env');
  const python = join(environment, 'bin/python3');
  const root = join(import.meta.dirname, '../../..');
  await run('python3', ['-m', 'venv', environment])
    .then(() => run(python, ['-m', 'pip', 'install', '--require-hashes', '-r', REQUIREMENTS], { cwd: root }))
    .catch((cause) => {
      const command = `python3 -m venv env && env/bin/pip install --require-hashes -r ${REQUIREMENTS}`;
      throw new Error(`These tests need Python 3.9 or newer, and that this command works: ${command}`, {
        cause,
      });
    });
  await run(python, ['-m', 'pip', 'install', '--no-index', '--no-deps', '--no-input', wheel], {
    cwd: folder,
  });
  return python;
}
