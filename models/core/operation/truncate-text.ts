/**
 * Shortens a text to at most so many UTF-16 code units, the last of which then is an ellipsis. It splits no character
 * in two, since half a surrogate pair could not be stored.
 */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
