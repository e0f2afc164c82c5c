/** Header in which the proxy tells a layout which page is asked for. It replaces a visitor's own. */
export const PAGE_PATH = 'x-page-path';

/** Origin that stands for our own, whichever it is. */
const OWN_ORIGIN = 'http://own.invalid';

/**
 * Returns the page of ours that a `next` parameter names, with the path that browsers make of it; the dashboard for
 * anything else.
 */
export function nextPage(next: unknown): string {
  if (typeof next !== 'string' || !/^\/[\w\-./?=&%]*$/.test(next)) return '/dashboard';
  const { origin, pathname, search } = new URL(next, OWN_ORIGIN);
  return origin === OWN_ORIGIN && !pathname.startsWith('//') ? pathname + search : '/dashboard';
}

/** Returns the path of a page where visitors sign in or up, and which leads to another one then. */
export function pathWithNext(path: '/sign-in' | '/sign-up', next: string): string {
  return next === '/dashboard' ? path : `${path}?${new URLSearchParams({ next })}`;
}
