import { readEnv } from '../../server/base/env.ts';
import { GUIDES, type Guide } from './guides.ts';
import type { DocsSection } from './search/search-docs.ts';

/** Elements whose content is no text of the page. */
const LEFT_OUT = /<(script|style|svg|nav|button|select|form|noscript)\b[\s\S]*?<\/\1>/gi;

const PRE = /<pre\b[^>]*>([\s\S]*?)<\/pre>/gi;

const LINK = /<a\b[^>]*?\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi;

/** Place of a block of code. */
const HELD = /\ue000(\d+)\ue000/g;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
};

/** Blocks of our own pages and what they are in Markdown, innermost first. */
const BLOCKS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/<code\b[^>]*>([\s\S]*?)<\/code>/gi, (text) => ` \`${stripTags(text)}\` `],
  [/<(?:b|strong)\b[^>]*>([\s\S]*?)<\/(?:b|strong)>/gi, (text) => `**${text}**`],
  [/<h1\b[^>]*>([\s\S]*?)<\/h1>/gi, (text) => `\n\n# ${text}\n\n`],
  [/<h2\b[^>]*>([\s\S]*?)<\/h2>/gi, (text) => `\n\n## ${text}\n\n`],
  [/<h[3-6]\b[^>]*>([\s\S]*?)<\/h[3-6]>/gi, (text) => `\n\n### ${text}\n\n`],
  [/<dt\b[^>]*>([\s\S]*?)<\/dt>/gi, (text) => `\n- ${text}: `],
  [/<dd\b[^>]*>([\s\S]*?)<\/dd>/gi, (text) => `${text}\n`],
  [/<li\b[^>]*>([\s\S]*?)<\/li>/gi, (text) => `\n- ${text}`],
  [/<tr\b[^>]*>([\s\S]*?)<\/tr>/gi, (text) => `\n- ${text}`],
  [/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]>/gi, (text) => `${text} `],
  [/<p\b[^>]*>([\s\S]*?)<\/p>/gi, (text) => `\n\n${text}\n\n`],
];

/** Time for which a page is kept: pages change with the settings alone. */
const KEPT_MS = 60_000;

const pages = new Map<string, { readonly html: string; readonly untilMs: number }>();

/** Paths of the guides that have a Markdown twin: all but the first page. */
export const TWIN_PATHS: readonly string[] = GUIDES.map(({ href }) => href).filter(
  (href) => href !== '/docs',
);

/**
 * Returns a guide as Markdown, made from its own page.
 * @param href of the page, such as `/docs/jobs`
 * @returns undefined when there is no such guide
 */
export async function readTwin(href: string): Promise<string | undefined> {
  if (!TWIN_PATHS.includes(href)) return undefined;
  return htmlToMarkdown(await readPage(href), readEnv().PUBLIC_URL);
}

/** Reads the sections of all guides, for a search. */
export async function readSections(): Promise<DocsSection[]> {
  const guides = GUIDES.filter(({ href }) => TWIN_PATHS.includes(href));
  const read = await Promise.all(
    guides.map(async ({ href, name }) => splitPage(await readPage(href), { href, name })),
  );
  return read.flat();
}

async function readPage(href: string): Promise<string> {
  const known = pages.get(href);
  if (known && known.untilMs > Date.now()) return known.html;
  const response = await fetch(`http://127.0.0.1:${readEnv().PORT}${href}`);
  if (!response.ok) throw new Error(`${href} responded with ${response.status}`);
  const html = await response.text();
  pages.set(href, { html, untilMs: Date.now() + KEPT_MS });
  return html;
}

/** Parts that name the page or lead away from it, which a search shows elsewhere. */
const AROUND = /<h[12]\b[^>]*>[\s\S]*?<\/h[12]>|<p\b[^>]*>Next: [\s\S]*?<\/p>/gi;

/** Code, and words that only screen readers read. */
const UNREAD = /<pre\b[^>]*>[\s\S]*?<\/pre>|<span class="sr-only">[\s\S]*?<\/span>/gi;

/** Ends of paragraphs, entries, cells and the like. */
const PASSAGE_END = /<\/(?:p|dd|li|t[dh]|h[3-6]|summary)>/i;

/** Sentences of a passage. Titles, captions and values that may stand after them have no end. */
const SENTENCES = /^.*[.?!](?=\s|$)/s;

/** Splits the main part of a page at its headings. */
export function splitPage(html: string, { href, name }: Pick<Guide, 'href' | 'name'>): DocsSection[] {
  const main = getMain(html).replace(LEFT_OUT, ' ');
  return main.split(/(?=<h2\b)/i).map((part) => {
    const [, id, heading = ''] = /^<h2\b[^>]*?\bid="([^"]*)"[^>]*>([\s\S]*?)<\/h2>/i.exec(part) ?? [];
    return {
      href: id === undefined ? href : `${href}#${id}`,
      page: name,
      title: toText(heading) || name,
      text: toText(part.replace(AROUND, ' ')),
      passages: part
        .replace(AROUND, ' ')
        .replace(UNREAD, ' ')
        .replace(/<\/dt>/gi, ': ')
        .split(PASSAGE_END)
        .flatMap((passage) => SENTENCES.exec(toText(passage)) ?? []),
    };
  });
}

function toText(html: string): string {
  return decodeEntities(stripTags(html, ' '))
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:;)])/g, '$1')
    .replaceAll('( ', '(')
    .trim();
}

function getMain(html: string): string {
  return /<main\b[^>]*>([\s\S]*?)<\/main>/i.exec(html)?.[1] ?? '';
}

/**
 * Converts the main part of one of our own pages to Markdown: headings, paragraphs, lists, tables as lists, code and
 * links. It knows the elements that our pages have, and drops the tags of all others.
 * @param origin of relative links
 */
export function htmlToMarkdown(html: string, origin: string): string {
  const codes: string[] = [];
  let text = getMain(html)
    .replace(LEFT_OUT, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(PRE, (_whole, code: string) => hold(codes, code))
    .replace(LINK, (_whole, href: string, name: string) => {
      const url = href.startsWith('/') ? `${origin}${href}` : href;
      return `[${stripTags(name)}](${url})`;
    });
  for (const [pattern, toMarkdown] of BLOCKS) {
    text = text.replace(pattern, (_whole, inner: string) => toMarkdown(inner));
  }
  const lines = decodeEntities(stripTags(text, ' '))
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/ ([.,:;)])/g, '$1')
    .replace(/\n{3,}/g, '\n\n');
  const whole = lines.replace(HELD, (_whole, at: string) => codes[Number(at)] ?? '');
  return `${whole.trim()}\n`;
}

/** Keeps a block of code, with its spaces and lines, out of further replacements. */
function hold(held: string[], html: string): string {
  const code = decodeEntities(stripTags(html)).trimEnd();
  return `\n\n\ue000${held.push(`\`\`\`\n${code}\n\`\`\``) - 1}\ue000\n\n`;
}

function stripTags(html: string, replacement = ''): string {
  return html.replace(/<[^>]+>/g, replacement);
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name ?? ''] ?? whole;
    },
  );
}
