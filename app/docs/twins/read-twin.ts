import { readEnv } from '../../../server/base/env.ts';
import { GUIDES } from '../guides.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** Time for which a twin is kept: pages change with the settings alone. */
const KEPT_MS = 60_000;

const twins = new Map<string, { readonly text: string; readonly untilMs: number }>();

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
  const known = twins.get(href);
  if (known && known.untilMs > Date.now()) return known.text;
  const { PORT, PUBLIC_URL } = readEnv();
  const response = await fetch(`http://127.0.0.1:${PORT}${href}`);
  if (!response.ok) throw new Error(`${href} responded with ${response.status}`);
  const text = htmlToMarkdown(await response.text(), PUBLIC_URL);
  twins.set(href, { text, untilMs: Date.now() + KEPT_MS });
  return text;
}
