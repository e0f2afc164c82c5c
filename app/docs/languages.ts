/** Languages of the examples, by the folders and the extensions of their files in `clients/examples`. */
export const LANGUAGES = { sh: 'curl', ts: 'TypeScript', py: 'Python' } as const;
export type Language = keyof typeof LANGUAGES;

/** Stores the visitor's choice for all examples. */
export const LANGUAGE_COOKIE = 'language';

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}
