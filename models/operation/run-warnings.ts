/** Sentences that pages word for their visitor, in parts: ids and names stand between them. */
const SENTENCES = {
  /** Engine that failed, and engine that ran. */
  replaced: ['', ' could not be used; ', ' took its place.'],
  /** Bundled engine that ran. */
  fallback: [
    'No larger model was available, so the bundled one, ',
    ', found the subject. Its outline may be less exact.',
  ],
  /** Engine that ran. */
  people_only: ['', ' finds people only; no model for other subjects was available.'],
  /** Execution provider with its fault, and provider that ran. */
  other_provider: ['', '; ', ' was used instead.'],
  /** Format that cannot hold what was to be kept. */
  no_metadata: ['keep_metadata: ', ' files hold no EXIF, XMP or colour profile, so none was kept.'],
  /** Seconds that could be read. */
  cut_off: ['The audio is cut off: the result covers the ', ' s that could be read.'],
} as const;

export type WarningKind = keyof typeof SENTENCES;

/** Warning of a run, in parts. */
export interface RunWarning {
  readonly kind: WarningKind;
  /** Names between the parts of the sentence. */
  readonly names: readonly string[];
}

/** Writes the sentence of a warning, as the API returns it. */
export function formatWarning(kind: WarningKind, ...names: readonly string[]): string {
  return SENTENCES[kind].map((part, at) => part + (names[at] ?? '')).join('');
}

/** Reads a sentence of `writeWarning` back, for pages that word it for their visitor; null for any other sentence. */
export function parseWarning(sentence: string): RunWarning | null {
  for (const kind of Object.keys(SENTENCES) as WarningKind[]) {
    const names = parseNames(SENTENCES[kind], sentence);
    if (names) return { kind, names };
  }
  return null;
}

function parseNames([first = '', ...parts]: readonly string[], sentence: string): string[] | null {
  if (!sentence.startsWith(first)) return null;
  let rest = sentence.slice(first.length);
  const names: string[] = [];
  for (const part of parts) {
    // A fault may hold a separator itself: the last one counts.
    const at = rest.lastIndexOf(part);
    if (at < 0) return null;
    names.push(rest.slice(0, at));
    rest = rest.slice(at + part.length);
  }
  return rest === '' ? names : null;
}
