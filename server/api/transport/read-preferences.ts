/**
 * Returns what a request prefers, by name in lower case (RFC 7240). A preference without a value has the empty text.
 * The first one counts where several have the same name.
 */
export function readPreferences({ headers }: Pick<Request, 'headers'>): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const given of headers.get('prefer')?.split(',') ?? []) {
    // Parameters of a preference follow a semicolon. Ours have none, so they are left out.
    const [name = '', value = ''] = (given.split(';')[0] ?? '').split('=').map((part) => part.trim());
    const key = name.toLowerCase();
    if (!preferences.has(key)) preferences.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  return preferences;
}
