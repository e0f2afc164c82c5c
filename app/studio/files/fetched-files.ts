/** Files that came from a link, so that the page can say so. */
const fetched = new WeakSet<File>();

/** Reports whether a file came from a link. */
export const wasFetched = (file: File): boolean => fetched.has(file);

/** Records that a file came from a link. */
export function markFetched(file: File): void {
  fetched.add(file);
}
