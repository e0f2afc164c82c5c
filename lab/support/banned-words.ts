/** Words that no text of this project uses, as patterns, with what to write in their place. */
const WORDS: readonly (readonly [pattern: RegExp, better: string])[] = [
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

/** A file, or a folder with a slash at its end, where a word is a term. */
export interface AllowedWord {
  readonly place: string;
  /** In lower case. */
  readonly word: string;
}

/** Reads a list of lines such as `server/ops/embedded/home.ts: nobody`; those that begin with `#` are comments. */
export function parseAllowedWords(list: string): readonly AllowedWord[] {
  const lines = list.split('\n').filter((line) => line && !line.startsWith('#'));
  return lines.map((line) => {
    const [place = '', word = ''] = line.split(': ');
    return { place, word };
  });
}

/** Lists the banned words of a text, a line for each, with their places and what to write. */
export function findBannedWords(
  path: string,
  text: string,
  allowed: readonly AllowedWord[],
): readonly string[] {
  const isIn = (place: string) => path === place || (place.endsWith('/') && path.startsWith(place));
  const terms = new Set(allowed.filter(({ place }) => isIn(place)).map(({ word }) => word));
  return text.split('\n').flatMap((line, at) =>
    WORDS.flatMap(([pattern, better]) => {
      const [word] = pattern.exec(line) ?? [];
      if (word === undefined || terms.has(word.toLowerCase())) return [];
      return [`${path}:${at + 1}: "${word}": write ${better}`];
    }),
  );
}
