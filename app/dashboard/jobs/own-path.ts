/** Returns the path of a result at this origin, whatever name it has here; undefined for one of another store. */
export function ownPath(url: string): string | undefined {
  const { pathname, search } = new URL(url);
  return pathname.startsWith('/cdn/') ? pathname + search : undefined;
}
