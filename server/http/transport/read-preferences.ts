/**
 * Returns what a request prefers, by name in lower case (RFC 7240). A preference without a value has the empty text.
 * Of one that is given several times the first counts.
 */
export function readPreferences({ headers }: Pick<Request, 'headers'>): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const given of headers.get('prefer')?.split(',') ?? []) {
    // What follows a semicolon are parameters of the preference: none of ours has any.
    const [name = '', value = ''] = (given.split(';')[0] ?? '').split('=').map((part) => part.trim());
    const key = name.toLowerCase();
    if (!preferences.has(key)) preferences.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  return preferences;
}
