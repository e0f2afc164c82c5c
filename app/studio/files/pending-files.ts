/**
 * Files on their way from one page of the studio to another, in this tab's memory: nothing is sent.
 */
let pending: readonly File[] = [];

export function setPendingFiles(files: readonly File[]): void {
  pending = files;
}

/** Returns the pending files and clears them. */
export function consumePendingFiles(): readonly File[] {
  const files = pending;
  pending = [];
  return files;
}
