/** Returns the page of ours that a `next` parameter names; the dashboard for anything else. */
export function nextPage(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(next) ? next : '/dashboard';
}
