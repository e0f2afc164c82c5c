/** First segments of the paths that are not cross-origin isolated: payment pages and sign-in helpers need others. */
export const OPEN_PAGES = ['dashboard', 'sign-in', 'sign-up', 'reset-password', 'invitation'] as const;

/** Reports whether the page at a path is cross-origin isolated, as the tools' threads require. */
export function isIsolated(path: string): boolean {
  const [, first = ''] = path.split(/[/?#]/);
  return !OPEN_PAGES.some((open) => open === first);
}
