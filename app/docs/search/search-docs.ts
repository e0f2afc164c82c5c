/** Part of a page of the docs, below a heading. */
export interface DocsSection {
  /** Address with the heading's fragment. */
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** Section that matches a query, with the words around the first match. */
export interface DocsMatch extends DocsSection {
  readonly excerpt: string;
}

const MATCHES_MAX = 20;
const WORDS_MAX = 10;
/** Characters around the first match. */
const EXCERPT = { before: 60, after: 140 } as const;

/** Words of questions, which most sections hold and few are about. */
const FILLERS = new Set(
  'a an and are can do does for from how i in is it may my of on or that the to what when where which why will with you'.split(
    ' ',
  ),
);

/** Splits text into words; names of fields and headers stay whole. */
function getWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
}

/** Returns the words of a query that tell sections apart; all where none does. */
function getAsked(query: string): string[] {
  const words = [...new Set(getWords(query))];
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX);
}

/**
 * Finds the sections that hold each word of a query, or a word that begins with it: those with the words in their
 * heading first, then those that hold them most often.
 */
export function searchDocs(sections: readonly DocsSection[], query: string): DocsMatch[] {
  const asked = getAsked(query);
  if (asked.length === 0) return [];
  return sections
    .flatMap((section) => {
      const heading = getWords(`${section.page} ${section.title}`);
      const body = getWords(section.text);
      const scores = asked.map((word) => {
        const begins = (each: string) => each.startsWith(word) || each.includes(`-${word}`);
        return 10 * heading.filter(begins).length + Math.min(5, body.filter(begins).length);
      });
      if (scores.includes(0)) return [];
      const score = scores.reduce((sum, each) => sum + each, 0);
      return [{ match: { ...section, excerpt: getExcerpt(section.text, asked) }, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MATCHES_MAX)
    .map(({ match }) => match);
}

function getExcerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = places.length > 0 ? Math.min(...places) : 0;
  const from = at > EXCERPT.before ? text.indexOf(' ', at - EXCERPT.before) + 1 : 0;
  const end = text.indexOf(' ', at + EXCERPT.after);
  const excerpt = text.slice(from, end < 0 ? undefined : end);
  return `${from > 0 ? '… ' : ''}${excerpt}${end < 0 ? '' : ' …'}`;
}
