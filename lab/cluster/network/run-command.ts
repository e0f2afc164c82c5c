import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 60_000;

/**
 * Runs a command to its end.
 * @returns its standard output
 * @throws with its standard error when it fails
 */
export async function runCommand([file = '', ...args]: readonly string[]): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(file, args, { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Reports whether a command succeeds. */
export async function succeeds(command: readonly string[]): Promise<boolean> {
  return await runCommand(command).then(
    () => true,
    () => false,
  );
}
