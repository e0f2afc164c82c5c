/** Puts `a` or `an` before a noun. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/**
 * Shortens a text to at most so many UTF-16 code units, the last of which then is an ellipsis. It splits no character
 * in two, since half a surrogate pair could not be stored.
 */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Formats a path in a body: `items[0].image_url`; empty for the body itself. */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
}
