export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Stores the visitor's choice. Without it the system's setting applies. */
export const THEME_COOKIE = 'theme';

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}
