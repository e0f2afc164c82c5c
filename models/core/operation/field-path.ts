/** Formats a path in a body: `items[0].image_url`; empty for the body itself. */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
}
