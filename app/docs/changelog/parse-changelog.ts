interface Heading {
  readonly kind: 'heading';
  readonly level: number;
  readonly text: string;
}

/** Block of the changelog. */
export type ChangelogBlock =
  | Heading
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'paragraph'; readonly text: string };

/** Piece of a line: plain text, code, bold text or a link. */
export type ChangelogSpan =
  | { readonly kind: 'text' | 'code' | 'bold'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Parses the Markdown that the changelog uses: headings, lists of one level and paragraphs. */
export function parseChangelog(markdown: string): readonly ChangelogBlock[] {
  return markdown
    .split(/\n{2,}|\n(?=#)/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .flatMap(parseBlock);
}

/** Splits the blocks by version, each with its heading first. What stands before the first version is left out. */
export function splitVersions(
  blocks: readonly ChangelogBlock[],
): readonly (readonly [Heading, ...ChangelogBlock[]])[] {
  const versions: [Heading, ...ChangelogBlock[]][] = [];
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === 2) versions.push([block]);
    else versions.at(-1)?.push(block);
  }
  return versions;
}

function parseBlock(block: string): readonly ChangelogBlock[] {
  const [, marks, title] = /^(#{1,4}) (.*)/.exec(block) ?? [];
  if (marks !== undefined && title !== undefined) {
    const rest = block.slice(marks.length + 1 + title.length).trim();
    const heading = { kind: 'heading', level: marks.length, text: title } as const;
    return rest === '' ? [heading] : [heading, ...parseBlock(rest)];
  }
  if (!block.startsWith('- ')) return [{ kind: 'paragraph', text: joinLines(block) }];
  const items = block.split(/\n(?=- )/).map((item) => joinLines(item.slice(2)));
  return [{ kind: 'list', items }];
}

function joinLines(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Splits a line into its spans. */
export function parseSpans(line: string): readonly ChangelogSpan[] {
  const pieces = line.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/);
  return pieces.filter((piece) => piece !== '').map(parseSpan);
}

function parseSpan(piece: string): ChangelogSpan {
  if (/^`.+`$/.test(piece)) return { kind: 'code', text: piece.slice(1, -1) };
  if (/^\*\*.+\*\*$/.test(piece)) return { kind: 'bold', text: piece.slice(2, -2) };
  const [, text, href] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece) ?? [];
  return text !== undefined && href !== undefined
    ? { kind: 'link', text, href }
    : { kind: 'text', text: piece };
}
