import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { compileChildCode } from '../../../server/base/children/compile-child-code.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Runs a module's `serve` in a process as the runner starts one: its memory is that of the code alone, without a
 * compiler, whose own differs between runs.
 * @param module path from the repository's root
 * @returns what the process has written
 * @throws Error when it fails
 */
export async function runCompiled(module: string, args: readonly string[]): Promise<string> {
  const code = await compileChildCode({
    childModule: resolve(ROOT, module),
    operationsModule: resolve(ROOT, 'models/registry.ts'),
  });
  const flags = ['--single-threaded-gc', '--input-type=module', '-'];
  const child = spawn(process.execPath, [...flags, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(code);
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (status !== 0) throw new Error(`${module} ended with ${status}`);
  return output;
}
