/** Header in which the proxy tells a layout which page is asked for. It replaces a visitor's own. */
export const PAGE_PATH = 'x-page-path';

/** Returns the page of ours that a `next` parameter names; the dashboard for anything else. */
export function nextPage(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(next) ? next : '/dashboard';
}

/** Returns the path of a page where visitors sign in or up, and which leads to another one then. */
export function pathWithNext(path: '/sign-in' | '/sign-up', next: string): string {
  return next === '/dashboard' ? path : `${path}?${new URLSearchParams({ next })}`;
}
