// `npm run test:quick`: the tests that changes since the branch left main may break, committed or not. Arguments go to
// vitest, and `--since REF` takes another commit than the one where the branch left.
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findIndirectTests } from './indirect-tests.ts';

const ROOT = dirname(import.meta.dirname);

function git(...args: readonly string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
}

const given = process.argv.slice(2);
const sinceAt = given.indexOf('--since');
const [, since = 'main'] = sinceAt < 0 ? [] : given.splice(sinceAt, 2);
const [base = 'HEAD'] = git('merge-base', 'HEAD', since);
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
const tests = findIndirectTests(changed, git('ls-files', 'tests/**/*.test.ts'));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const args = ['related', '--run', '--passWithNoTests', ...given, ...changed, ...tests];
console.log(
  `${changed.length} files changed since ${base.slice(0, 10)}; ${tests.length} test files belong by rule.`,
);
if (changed.length > 0) {
  process.exitCode =
    spawnSync(process.execPath, [vitest, ...args], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
