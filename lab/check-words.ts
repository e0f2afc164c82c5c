// `npm run check:words` lists the words that no text of this project uses, and fails when there is one.
// `check-words.txt` names the places where a word is a term.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findBannedWords, parseAllowedWords } from './support/banned-words.ts';

const ROOT = dirname(import.meta.dirname);
const TEXTS = /\.(tsx?|mjs|cjs|js|css|md|py|sh|ya?ml|sql)$/;
/** The list itself, and its test. */
const OWN = ['lab/support/banned-words.ts', 'tests/scripts/banned-words.test.ts'];

const allowed = parseAllowedWords(readFileSync(join(import.meta.dirname, 'check-words.txt'), 'utf8'));
const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
const found = files
  .filter((file) => TEXTS.test(file) && !OWN.includes(file))
  .flatMap((file) => findBannedWords(file, readFileSync(join(ROOT, file), 'utf8'), allowed));
for (const line of found) console.log(line);
console.log(`${found.length} words to replace.`);
process.exitCode = found.length > 0 ? 1 : 0;
