/** Part of a page of the docs, below a heading. */
export interface DocsSection {
  /** Address with the heading's fragment. */
  readonly href: string;
  readonly page: string;
  readonly title: string;
  /** Words of it, code and names as well. */
  readonly text: string;
  /** Its sentences and explained names, by paragraph or entry. */
  readonly passages: readonly string[];
}

/** Section that matches a query, with its sentence on it. */
export interface DocsMatch extends DocsSection {
  readonly excerpt: string;
}

const MATCHES_MAX = 20;
const WORDS_MAX = 10;
/** Characters of an excerpt: shorter ones go on, longer ones are cut between words. */
const EXCERPT = { min: 100, max: 220 } as const;

const SENTENCE_START = /(?<=[.?!…])\s+(?=[\p{Lu}\p{N}])/u;

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
      return [{ match: { ...section, excerpt: getExcerpt(section.passages, asked) }, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MATCHES_MAX)
    .map(({ match }) => match);
}

/** Returns the sentence that holds most words of a query, with those that follow in its passage as far as there is room. */
function getExcerpt(passages: readonly string[], asked: readonly string[]): string {
  const ranked = passages
    .flatMap((passage) => {
      const sentences = passage.split(SENTENCE_START);
      return sentences.map((sentence, at) => {
        const words = getWords(sentence);
        const held = asked.filter((word) => words.some((each) => each.startsWith(word))).length;
        return { held, following: sentences.slice(at) };
      });
    })
    .toSorted((one, other) => other.held - one.held);
  let excerpt = '';
  for (const sentence of ranked[0]?.following ?? []) {
    if (excerpt.length >= EXCERPT.min || excerpt.length + sentence.length > EXCERPT.max) break;
    excerpt = excerpt === '' ? sentence : `${excerpt} ${sentence}`;
  }
  return excerpt || shorten(ranked[0]?.following[0] ?? '');
}

function shorten(sentence: string): string {
  if (sentence.length <= EXCERPT.max) return sentence;
  return `${sentence.slice(0, sentence.lastIndexOf(' ', EXCERPT.max))} …`;
}
