// `npm run check:words` lists the words that no text of this project uses, with what to write in their place, and fails
// when there is one. `check-words.txt` names the places where a word is a term.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const ALLOWED = 'lab/check-words.txt';
const OWN = 'lab/check-words.ts';

/** Words, as patterns, with what to write in their place. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'name who it is'],
  [/\b(no|some)body\b/i, 'name who it is'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'next to, with'],
  [/\bmeanwhile\b/i, 'while …'],
  [/\bthereby\b/i, 'so'],
  [/\bforet(ell|ells|old|elling)\b/i, 'predict, estimate'],
  [/\bof its own\b/i, 'its own …, separate'],
  [/\b(is|are) said to\b/i, 'name who says it'],
  [/\blets? hear\b/i, 'plays'],
  [/\banswer(s|ed|ing)?\b/i, 'response, respond'],
  [/\b(thousand|million) million\b/i, 'billion, trillion'],
];

/** Lists the files whose texts people write. */
function listFiles(): readonly string[] {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  return files.filter((file) => /\.(tsx?|mjs|cjs|js|css|md|py|sh|ya?ml|sql)$/.test(file) && file !== OWN);
}

/** Reads lines such as `deploy/Dockerfile: nobody`; a place is a file, or a folder with a slash at its end. */
function readAllowed(): readonly (readonly [place: string, word: string])[] {
  const lines = readFileSync(join(ROOT, ALLOWED), 'utf8').split('\n');
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(': ') as [string, string]);
}

const allowed = readAllowed();
const isAllowed = (file: string, word: string): boolean =>
  allowed.some(
    ([place, term]) =>
      (file === place || (place.endsWith('/') && file.startsWith(place))) && term === word.toLowerCase(),
  );

function findWords(file: string): readonly string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.flatMap((line, at) =>
    WORDS.flatMap(([pattern, better]) => {
      const [word] = pattern.exec(line) ?? [];
      return word === undefined || isAllowed(file, word)
        ? []
        : [`${file}:${at + 1}: "${word}": write ${better}`];
    }),
  );
}

const hits = listFiles().flatMap(findWords);
for (const hit of hits) console.log(hit);
console.log(`${hits.length} words to replace.`);
process.exitCode = hits.length > 0 ? 1 : 0;
