export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Holds the visitor's choice. Without it the system's own setting counts. */
export const THEME_COOKIE = 'theme';

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}
